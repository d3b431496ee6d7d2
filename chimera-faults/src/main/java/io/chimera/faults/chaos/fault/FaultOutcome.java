package io.chimera.faults.chaos.fault;

import java.util.List;
import java.util.Optional;

/**
 * A fault and what became of it.
 *
 * @param fault that struck
 * @param companion a fault that struck while the first was in force
 * @param recoveryNs time until a cycle was committed that had begun after the fault, or after its end, or after the end of
 *     both; -1 when that took too long
 * @param stallNs the longest time in which the committed prefix did not move, from the fault until the recovery
 * @param ackWaitNs the longest wait of a client for its acknowledgement in that time, those of the victim left out
 * @param ended hosts whose process ended by itself
 */
public record FaultOutcome(
        Fault fault, Optional<Fault> companion, long recoveryNs, long stallNs, long ackWaitNs, List<String> ended) {
    private static final String PAIR = "two_at_once";

    /** What faults of its kind are counted under. */
    String label() {
        return companion.isPresent() ? PAIR : fault.kind().label();
    }

    /** From when on recovery was measured. */
    public FaultKind.Since since() {
        return companion.isPresent() ? FaultKind.Since.HEAL : fault.kind().since();
    }

    /** How many faults it was. */
    public int count() {
        return companion.isPresent() ? 2 : 1;
    }

    /** What happened to whom, in words. */
    public String description() {
        return fault.description()
                + companion.map(second -> " + " + second.description()).orElse("");
    }

    /** Whether the cluster got over it. */
    public boolean isRecovered() {
        return recoveryNs >= 0;
    }
}
