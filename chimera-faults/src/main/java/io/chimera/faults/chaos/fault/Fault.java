package io.chimera.faults.chaos.fault;

/**
 * One fault of the plan.
 *
 * @param number from 1
 * @param kind what happens
 * @param victim the host it happens to; empty where that is found out when it strikes
 * @param peer the host that the victim is parted from; empty for other kinds
 * @param holdMs it lasts so long, milliseconds
 * @param pauseMs time after it until the next, milliseconds
 * @param stepSeconds by how much a clock jumps; 0 for other kinds
 */
public record Fault(int number, FaultKind kind, String victim, String peer, int holdMs, int pauseMs, int stepSeconds) {
    /** What happens to whom, in words. */
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
