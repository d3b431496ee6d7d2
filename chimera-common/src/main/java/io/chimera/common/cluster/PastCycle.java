package io.chimera.common.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Content of a past cycle, kept longer than the cycle itself: enough to read its records from a journal again and to
 * write its rows with the original time. Contains only streams with records in the cycle.
 *
 * @param number number of the cycle
 * @param time timestamp of the rows, and clock for lateness decisions
 * @param parts number of parts, which determines the order of the records; 0 if unknown
 * @param before exclusive lower bound of the sequence numbers, per stream
 * @param cut inclusive upper bound of the sequence numbers, per stream
 */
public record PastCycle(
        long number, CycleTime time, int parts, SortedMap<Long, Long> before, SortedMap<Long, Long> cut) {
    /** Copies the maps. */
    public PastCycle {
        before = Collections.unmodifiableSortedMap(new TreeMap<>(before));
        cut = Collections.unmodifiableSortedMap(new TreeMap<>(cut));
    }

    /** Creates a past cycle with an unknown number of parts. */
    public PastCycle(long number, CycleTime time, SortedMap<Long, Long> before, SortedMap<Long, Long> cut) {
        this(number, time, 0, before, cut);
    }

    /** Timestamp of the rows, ms since 1970. */
    public long timeMs() {
        return time.rowsMs();
    }

    /** Creates the past form of a cycle from the cycle and the previous cut. */
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

    /** Number of records. */
    public long points() {
        long points = 0;
        for (long stream : cut.keySet()) {
            points += cut.get(stream) - before.getOrDefault(stream, 0L);
        }
        return points;
    }
}
