package io.chimera.archive.distributed;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Spans in a row.
 *
 * @param first the first
 * @param last the last, included
 */
record SpanRange(long first, long last) {
    boolean holds(long span) {
        return first <= span && span <= last;
    }

    boolean meets(SpanRange other) {
        return first <= other.last && other.first <= last;
    }

    /** The spans of both, in order. */
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

    static boolean anyHolds(List<SpanRange> ranges, long span) {
        for (SpanRange range : ranges) {
            if (range.holds(span)) {
                return true;
            }
        }
        return false;
    }
}
