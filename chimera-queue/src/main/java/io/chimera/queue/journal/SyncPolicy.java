package io.chimera.queue.journal;

/** Decides when a record counts as durable. */
public enum SyncPolicy {
    /** As soon as the mapped page holds the record: survives the end of the process, not of the machine. */
    NONE,
    /** After a sync; one sync ends within every interval. */
    INTERVAL,
    /** After a sync per group of batches, before any acknowledgement. */
    BATCH
}
