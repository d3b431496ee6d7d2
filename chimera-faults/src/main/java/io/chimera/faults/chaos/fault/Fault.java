package io.chimera.faults.chaos.fault;

/**
 * A fault of the plan.
 *
 * @param number from 1
 * @param kind kind of the fault
 * @param victim host of the fault, or name of the journal group; empty when chosen at the injection
 * @param peer host disconnected from the victim; empty for other kinds
 * @param holdMs duration in milliseconds
 * @param pauseMs pause before the next fault in milliseconds
 * @param stepSeconds step of a clock; 0 for other kinds
 */
public record Fault(int number, FaultKind kind, String victim, String peer, int holdMs, int pauseMs, int stepSeconds) {
    /** Returns a description of the fault. */
    public String description() {
        StringBuilder text = new StringBuilder(kind.label());
        if (!victim.isEmpty()) {
            text.append(' ').append(victim);
        }
        if (!peer.isEmpty()) {
            text.append(kind == FaultKind.PARTITION_ONE_WAY ? " to " : " and ").append(peer);
        }
        if (stepSeconds != 0) {
            text.append(stepSeconds > 0 ? " by +" : " by ").append(stepSeconds).append(" s");
        }
        return text.toString();
    }
}
