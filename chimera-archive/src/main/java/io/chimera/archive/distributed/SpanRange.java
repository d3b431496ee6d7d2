package io.chimera.archive.distributed;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Consecutive spans.
 *
 * @param first first span
 * @param last last span, included
 */
record SpanRange(long first, long last) {
    boolean holds(long span) {
        return first <= span && span <= last;
    }

    /** Returns the smallest range around both ranges. */
    SpanRange with(SpanRange other) {
        return new SpanRange(Math.min(first, other.first), Math.max(last, other.last));
    }

    boolean meets(SpanRange other) {
        return first <= other.last && other.first <= last;
    }

    /** Returns the union, ordered, with a gap between any two ranges. */
    static List<SpanRange> union(List<SpanRange> some, List<SpanRange> others) {
        List<SpanRange> all = new ArrayList<>(some);
        all.addAll(others);
        all.sort(Comparator.comparingLong(SpanRange::first));
        List<SpanRange> union = new ArrayList<>();
        for (SpanRange range : all) {
            SpanRange last = union.isEmpty() ? null : union.get(union.size() - 1);
            if (last != null && range.first <= last.last + 1) {
                union.set(union.size() - 1, new SpanRange(last.first, Math.max(last.last, range.last)));
            } else {
                union.add(range);
            }
        }
        return List.copyOf(union);
    }

    /** Limits the number of ranges: merges the nearest ranges, including the gap between them. */
    static List<SpanRange> atMost(int size, List<SpanRange> union) {
        List<SpanRange> merged = new ArrayList<>(union);
        while (merged.size() > size) {
            int nearest = 0;
            for (int i = 1; i < merged.size() - 1; i++) {
                nearest = gap(merged, i) < gap(merged, nearest) ? i : nearest;
            }
            SpanRange second = merged.remove(nearest + 1);
            merged.set(nearest, new SpanRange(merged.get(nearest).first, second.last));
        }
        return List.copyOf(merged);
    }

    private static long gap(List<SpanRange> ranges, int behind) {
        return ranges.get(behind + 1).first - ranges.get(behind).last;
    }

    /** Returns true if a union contains the span. */
    static boolean holds(List<SpanRange> union, long span) {
        int low = 0;
        int high = union.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (union.get(middle).last < span) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < union.size() && union.get(low).first <= span;
    }
}
