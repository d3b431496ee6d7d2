package io.chimera.common.cluster;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a cycle contains, decided once and never changed: the records in (cut of the cycle before, cut]. Part and shard
 * of each follow from the sizes of the two lists.
 *
 * @param number 1, 2, 3 …
 * @param epoch of the conductor that began it
 * @param timeMs time stamp of every row of the cycle; grows with every cycle
 * @param cut highest sequence number per stream; a stream that is missing has nothing in this cycle
 * @param queues sessions of the queue nodes at its begin: N
 * @param processors sessions of the processors at its begin: M
 */
public record Cycle(
        long number, long epoch, long timeMs, SortedMap<Long, Long> cut, List<Long> queues, List<Long> processors) {
    /** Takes unmodifiable copies. */
    public Cycle {
        cut = Collections.unmodifiableSortedMap(new TreeMap<>(cut));
        queues = List.copyOf(queues);
        processors = List.copyOf(processors);
    }

    /** Number of parts: N. */
    public int parts() {
        return queues.size();
    }

    /** Number of shards: M. */
    public int shards() {
        return processors.size();
    }
}
