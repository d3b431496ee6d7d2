package io.chimera.queue.dispatch;

import io.chimera.common.cluster.PastCycle;
import io.chimera.common.wire.BatchFeed;
import java.util.SortedMap;

/** Where the channel manager gets the batches of a cycle from. */
public interface Cycles {
    /** Whether the cycle is here from its first record to its last. */
    boolean covers(SortedMap<Long, Long> before, SortedMap<Long, Long> cut);

    /** Cycles that are over or open, by number, as far as their records may be here. */
    SortedMap<Long, PastCycle> past();

    /** The batches of a cycle that is here, always in the same order. */
    BatchFeed open(SortedMap<Long, Long> before, SortedMap<Long, Long> cut);
}
