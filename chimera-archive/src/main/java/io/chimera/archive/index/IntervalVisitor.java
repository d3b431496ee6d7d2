package io.chimera.archive.index;

import io.chimera.archive.index.record.Interval;

/** Receives the intervals with possible matches, in the order of appending. */
@FunctionalInterface
public interface IntervalVisitor {
    /** Visits an interval. Returns false to end the search, e.g. at a limit. */
    boolean visit(Interval interval);
}
