package io.chimera.queue.journal;

/** When a record counts as durable. */
public enum SyncPolicy {
    /** As soon as the mapped page holds it: survives the end of the process, not of the machine. */
    NONE,
    /** After a sync, of which one has ended within every interval; see {@link SyncPace}. */
    INTERVAL,
    /** After a sync that runs once per group of batches, before anybody is answered. */
    BATCH
}
