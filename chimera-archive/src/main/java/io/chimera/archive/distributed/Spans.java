package io.chimera.archive.distributed;

/**
 * Time spans of equal length, counted from 1970; one index node holds the index of each span (Hyperion 2007, 5.3).
 *
 * @param lengthNs length of a span
 */
record Spans(long lengthNs) {
    /** Returns the span of a time. */
    long of(long ns) {
        return Math.floorDiv(ns, lengthNs);
    }

    /** Returns the first ns of a span, not less than the least long. */
    long firstNs(long span) {
        return span <= of(Long.MIN_VALUE) ? Long.MIN_VALUE : span * lengthNs;
    }

    /** Returns the last ns of a span, not more than the greatest long. */
    long lastNs(long span) {
        return span >= of(Long.MAX_VALUE) ? Long.MAX_VALUE : (span + 1) * lengthNs - 1;
    }
}
