package io.chimera.queue.journal;

/**
 * Policy and timing of the syncs of a journal.
 *
 * @param policy decides when a record counts as durable
 * @param everyMs maximum wait for a sync under {@link SyncPolicy#INTERVAL}
 */
public record SyncSchedule(SyncPolicy policy, long everyMs) {
    /** Checks the interval. */
    public SyncSchedule {
        if (everyMs < 1) {
            throw new IllegalArgumentException("The time between syncs must be positive, not " + everyMs + " ms.");
        }
    }
}
