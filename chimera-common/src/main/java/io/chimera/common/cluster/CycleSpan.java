package io.chimera.common.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Cycles that follow each other.
 *
 * @param first number of the first
 * @param last number of the last; not below the first
 */
public record CycleSpan(long first, long last) {
    /** Checks the order. */
    public CycleSpan {
        if (last < first) {
            throw new IllegalArgumentException("A span of cycles ends behind its begin, not " + first + " to " + last);
        }
    }

    /** Whether a cycle is one of them. */
    public boolean contains(long cycle) {
        return first <= cycle && cycle <= last;
    }

    /** The fewest spans that hold exactly these cycles, given in ascending order. */
    public static List<CycleSpan> of(Iterable<Long> cycles) {
        List<CycleSpan> spans = new ArrayList<>();
        for (long cycle : cycles) {
            CycleSpan last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
            if (last != null && last.last() + 1 == cycle) {
                spans.set(spans.size() - 1, new CycleSpan(last.first(), cycle));
            } else {
                spans.add(new CycleSpan(cycle, cycle));
            }
        }
        return spans;
    }
}
