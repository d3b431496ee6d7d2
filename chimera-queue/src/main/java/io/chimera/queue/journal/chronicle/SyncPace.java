package io.chimera.queue.journal.chronicle;

/**
 * Schedules syncs so that no record waits longer than the interval. A record that arrives during a sync is covered by
 * the next sync, so the interval counts from the begin of one sync to the end of the next. Therefore a sync begins
 * earlier by the recent duration of syncs. The journaler's thread.
 */
final class SyncPace {
    /** Decay of the longest duration with each quicker sync: one eighth, so half within six syncs. */
    private static final int FADING = 8;

    private final long everyNs;
    private long begunNs;
    private long tookNs;

    SyncPace(long everyNs, long nowNs) {
        this.everyNs = everyNs;
        begunNs = nowNs;
    }

    /** Whether to begin a sync. Even on a slow disk, at least half of the interval lies between two begins. */
    boolean isDue(long nowNs) {
        return nowNs - begunNs >= everyNs - Math.min(tookNs, everyNs / 2);
    }

    /** Records a successful sync. */
    void synced(long newBegunNs, long endedNs) {
        begunNs = newBegunNs;
        tookNs = Math.max(endedNs - newBegunNs, tookNs - tookNs / FADING);
    }
}
