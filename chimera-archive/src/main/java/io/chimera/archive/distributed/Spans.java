package io.chimera.archive.distributed;

/**
 * Spans of time of one length, counted from 1970: for each, one node holds the index of all (Hyperion 2007, 5.3).
 *
 * @param lengthNs of each
 */
record Spans(long lengthNs) {
    /** The span that a time lies in. */
    long of(long ns) {
        return Math.floorDiv(ns, lengthNs);
    }

    /** Its first ns; the least there is where it begins earlier. */
    long firstNs(long span) {
        return span <= of(Long.MIN_VALUE) ? Long.MIN_VALUE : span * lengthNs;
    }

    /** Its last ns; the greatest there is where it ends later. */
    long lastNs(long span) {
        return span >= of(Long.MAX_VALUE) ? Long.MAX_VALUE : (span + 1) * lengthNs - 1;
    }
}
