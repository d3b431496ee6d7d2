package io.chimera.dataset.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Span of the starts of windows, in nanoseconds since 1970.
 *
 * @param fromNs first start
 * @param toNs first start after the span
 */
public record WindowSpan(long fromNs, long toNs) {
    /** The span without windows. */
    public static final WindowSpan EMPTY = new WindowSpan(Long.MAX_VALUE, Long.MIN_VALUE);

    /** Returns whether the span has no windows. */
    public boolean isEmpty() {
        return fromNs >= toNs;
    }

    /**
     * Returns whether a window starts in the span.
     *
     * @param startNs start of the window
     */
    public boolean contains(long startNs) {
        return startNs >= fromNs && startNs < toNs;
    }

    /**
     * Returns whether a window can be in both spans.
     *
     * @param other any span
     */
    public boolean overlaps(WindowSpan other) {
        return fromNs < other.toNs && other.fromNs < toNs;
    }

    /**
     * Returns the smallest span that covers this one and another.
     *
     * @param other any span
     */
    public WindowSpan and(WindowSpan other) {
        return new WindowSpan(Math.min(fromNs, other.fromNs), Math.max(toNs, other.toNs));
    }

    /**
     * Cuts the span into ranges of whole windows and about equal length.
     *
     * @param windowNs length of a window in nanoseconds
     * @param rangesMax maximum number of ranges, at least 1
     * @return ascending ranges without gaps and overlaps; none for an empty span
     * @throws ArithmeticException when the span is longer than 292 years; events lie between 1970 and 2262
     */
    List<WindowSpan> cut(long windowNs, int rangesMax) {
        if (isEmpty()) {
            return List.of();
        }
        long windows = ceil(Math.subtractExact(toNs, fromNs), windowNs);
        long windowsPerRange = ceil(windows, Math.min(rangesMax, windows));
        if (windowsPerRange >= windows) {
            return List.of(this);
        }
        long stepNs = windowsPerRange * windowNs;
        List<WindowSpan> ranges = new ArrayList<>();
        long startNs = fromNs;
        while (toNs - startNs > stepNs) { // a comparison of ends would overflow near 2262
            ranges.add(new WindowSpan(startNs, startNs + stepNs));
            startNs += stepNs;
        }
        ranges.add(new WindowSpan(startNs, toNs));
        return ranges;
    }

    private static long ceil(long value, long by) {
        return value / by + (value % by == 0 ? 0 : 1);
    }
}
