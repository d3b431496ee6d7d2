package io.chimera.archive.index;

import io.chimera.archive.index.key.TopValues;
import java.util.Comparator;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Adds up the most frequent values of several intervals. A value not listed by an interval occurred there at most as
 * often as the interval's rest.
 */
final class Ranking {
    private static final int VALUES_MAX = 64 << 10;

    private final Long2ObjectHashMap<Sum> sums = new Long2ObjectHashMap<>();
    private long rest;
    private long dropped;

    /** Sum of a value so far. */
    private static final class Sum {
        private final long before;
        private long count;
        private long rest;

        private Sum(long before) {
            this.before = before;
        }
    }

    /** Adds an interval. */
    void add(TopValues top) {
        rest = sum(rest, top.rest());
        for (int i = 0; i < top.values().length; i++) {
            Sum sum = sums.computeIfAbsent(top.values()[i], value -> new Sum(dropped));
            sum.count += top.counts()[i];
            sum.rest = sum(sum.rest, top.rest());
        }
        if (sums.size() > VALUES_MAX) {
            drop();
        }
    }

    /** Drops the rarer half. */
    private void drop() {
        long[] counts =
                sums.values().stream().mapToLong(sum -> sum.count).sorted().toArray();
        long median = counts[counts.length / 2];
        sums.values().removeIf(sum -> sum.count <= median);
        dropped = Math.max(dropped, median);
    }

    /** Returns the most frequent values. */
    List<RankedValue> top(int values) {
        return sums.entrySet().stream()
                .map(entry -> ranked(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(RankedValue::atLeast)
                        .reversed()
                        .thenComparingLong(RankedValue::value))
                .limit(values)
                .toList();
    }

    private RankedValue ranked(long value, Sum sum) {
        long atMost = rest == Long.MAX_VALUE ? rest : sum.count + sum.before + rest - sum.rest;
        return new RankedValue(value, sum.count, atMost);
    }

    private static long sum(long first, long second) {
        long sum = first + second;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
