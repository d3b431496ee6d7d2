package io.chimera.faults.chaos.fault;

import java.util.List;

/**
 * A fault and what became of it.
 *
 * @param fault that struck
 * @param recoveryNs time until a cycle was committed that had begun after the fault, or after its end; -1 when that took too
 *     long
 * @param stallNs the longest time in which the committed prefix did not move, from the fault until the recovery
 * @param ackWaitNs the longest wait of a client for its acknowledgement in that time, those of the victim left out
 * @param ended hosts whose process ended by itself
 */
public record FaultOutcome(Fault fault, long recoveryNs, long stallNs, long ackWaitNs, List<String> ended) {
    /** Whether the cluster got over it. */
    public boolean isRecovered() {
        return recoveryNs >= 0;
    }
}
