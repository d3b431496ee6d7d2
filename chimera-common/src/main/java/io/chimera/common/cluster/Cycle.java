package io.chimera.common.cluster;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a cycle contains, decided once and never changed: the records in (cut of the cycle before, cut]. Part and shard
 * of each follow from the sizes of the two lists.
 *
 * <p>A replay cycle repeats a past one: the same records and the same time, with the members and pipelines of now. It has
 * no place in the line of live cycles.
 *
 * @param number 1, 2, 3 …; of a replay cycle {@link #REPLAYS} + 1, + 2, + 3 …
 * @param epoch of the conductor that began it
 * @param time time stamp of its rows, and the clock that lateness is judged by
 * @param cut highest sequence number per stream; a stream that is missing has nothing in this cycle
 * @param queues sessions of the queue nodes at its begin: N
 * @param processors sessions of the processors at its begin: M
 * @param replay what it repeats, if it is a replay cycle
 */
public record Cycle(
        long number,
        long epoch,
        CycleTime time,
        SortedMap<Long, Long> cut,
        List<Long> queues,
        List<Long> processors,
        Optional<Replay> replay) {
    /**
     * Replay cycles are numbered from here on: with a live cycle every millisecond these are reached after 30,000 years,
     * and a reader of JSON can still hold them.
     */
    public static final long REPLAYS = 1_000_000_000_000_000L;

    /** Takes unmodifiable copies. */
    public Cycle {
        cut = Collections.unmodifiableSortedMap(new TreeMap<>(cut));
        queues = List.copyOf(queues);
        processors = List.copyOf(processors);
    }

    /** A live cycle whose rows carry the clock at its begin. */
    public Cycle(
            long number, long epoch, long timeMs, SortedMap<Long, Long> cut, List<Long> queues, List<Long> processors) {
        this(number, epoch, CycleTime.of(timeMs), cut, queues, processors, Optional.empty());
    }

    /** Time stamp of every row of the cycle, ms since 1970; grows with every live cycle. */
    public long timeMs() {
        return time.rowsMs();
    }

    /** Whether a number is one of a replay cycle. */
    public static boolean isReplay(long number) {
        return number > REPLAYS;
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
