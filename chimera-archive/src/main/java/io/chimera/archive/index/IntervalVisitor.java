package io.chimera.archive.index;

/** Takes the intervals that may match, in the order in which they were appended, which is that of time. */
@FunctionalInterface
public interface IntervalVisitor {
    /** Looks at an interval. False ends the search, as when a limit is reached. */
    boolean visit(Interval interval);
}
