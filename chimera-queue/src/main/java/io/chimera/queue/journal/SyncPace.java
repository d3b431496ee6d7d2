package io.chimera.queue.journal;

/**
 * When the next sync begins, so that nobody waits for one longer than the interval. Who comes while a sync runs is in the
 * next, so the interval counts from the begin of one to the end of the next: that begins earlier by as long as syncs have
 * taken of late. The journaler's thread.
 */
final class SyncPace {
    /** The time a slow sync took is forgotten by so much with each that is quicker: half of it within six. */
    private static final int FADING = 8;

    private final long everyNs;
    private long begunNs;
    private long tookNs;

    SyncPace(long everyNs, long nowNs) {
        this.everyNs = everyNs;
        begunNs = nowNs;
    }

    /** However slow the disk is, at least half of the interval lies between two begins. */
    boolean isDue(long nowNs) {
        return nowNs - begunNs >= everyNs - Math.min(tookNs, everyNs / 2);
    }

    /** A sync that ended well. */
    void synced(long newBegunNs, long endedNs) {
        begunNs = newBegunNs;
        tookNs = Math.max(endedNs - newBegunNs, tookNs - tookNs / FADING);
    }
}
