package io.chimera.dataset.cluster;

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
}
