package io.chimera.common.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Range of consecutive cycles.
 *
 * @param first number of the first cycle
 * @param last number of the last cycle; at least {@code first}
 */
public record CycleSpan(long first, long last) {
    /** Checks the order. */
    public CycleSpan {
        if (last < first) {
            throw new IllegalArgumentException(
                    "The last cycle of a span must not precede the first: " + first + " to " + last);
        }
    }

    /** Returns whether the range contains a cycle. */
    public boolean contains(long cycle) {
        return first <= cycle && cycle <= last;
    }

    /** Returns the minimal list of spans with exactly these cycles; the cycles must be in ascending order. */
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
