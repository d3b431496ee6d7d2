package io.chimera.faults.chaos.fault;

import java.util.List;
import java.util.Optional;

/**
 * A fault and its effect.
 *
 * @param fault the fault
 * @param companion a second fault during the first
 * @param recoveryNs time until the commit of a cycle that began after the fault, or after its end, or after the end of
 *     both faults; -1 on a time-out
 * @param stallNs longest time without progress of the committed prefix, from the fault to the recovery
 * @param ackWaitNs longest wait of a client for its acknowledgement in the same period, without clients of the victim
 * @param ended hosts with a process that ended unexpectedly
 */
public record FaultOutcome(
        Fault fault, Optional<Fault> companion, long recoveryNs, long stallNs, long ackWaitNs, List<String> ended) {
    private static final String PAIR = "two_at_once";

    /** Returns the name of the statistics for this outcome. */
    String label() {
        return companion.isPresent() ? PAIR : fault.kind().label();
    }

    /** Returns the start of the recovery time. */
    public FaultKind.Since since() {
        return companion.isPresent() ? FaultKind.Since.HEAL : fault.kind().since();
    }

    /** Returns the number of faults. */
    public int count() {
        return companion.isPresent() ? 2 : 1;
    }

    /** Returns a description of the faults. */
    public String description() {
        return fault.description()
                + companion.map(second -> " + " + second.description()).orElse("");
    }

    /** Returns whether the cluster recovered in time. */
    public boolean isRecovered() {
        return recoveryNs >= 0;
    }
}
