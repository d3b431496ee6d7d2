package io.chimera.common.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a cycle contained, kept beyond the cycle itself: enough to read its records from a journal again and to write its
 * rows with its time. Names only streams that have records in it.
 *
 * @param number of the cycle
 * @param time time stamp of its rows, and the clock that lateness is judged by
 * @param parts number of its parts, from which the order of its records follows; 0 when that is not known
 * @param before per stream: its records lie above this sequence number
 * @param cut per stream: they lie at or below this one
 */
public record PastCycle(
        long number, CycleTime time, int parts, SortedMap<Long, Long> before, SortedMap<Long, Long> cut) {
    /** Takes unmodifiable copies. */
    public PastCycle {
        before = Collections.unmodifiableSortedMap(new TreeMap<>(before));
        cut = Collections.unmodifiableSortedMap(new TreeMap<>(cut));
    }

    /** A cycle of which it is not known how many parts it had. */
    public PastCycle(long number, CycleTime time, SortedMap<Long, Long> before, SortedMap<Long, Long> cut) {
        this(number, time, 0, before, cut);
    }

    /** Time stamp of its rows, ms since 1970. */
    public long timeMs() {
        return time.rowsMs();
    }

    /** A cycle, and the cut of the one before it. */
    public static PastCycle of(Cycle cycle, SortedMap<Long, Long> before) {
        SortedMap<Long, Long> from = new TreeMap<>();
        SortedMap<Long, Long> upTo = new TreeMap<>();
        cycle.cut().forEach((stream, seq) -> {
            long after = before.getOrDefault(stream, 0L);
            if (seq > after) {
                from.put(stream, after);
                upTo.put(stream, seq);
            }
        });
        return new PastCycle(cycle.number(), cycle.time(), cycle.parts(), from, upTo);
    }

    /** Number of its records. */
    public long points() {
        long points = 0;
        for (long stream : cut.keySet()) {
            points += cut.get(stream) - before.getOrDefault(stream, 0L);
        }
        return points;
    }
}
