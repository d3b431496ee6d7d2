package io.chimera.common.config;

import java.time.Duration;
import java.util.List;

/** How a pipeline groups points and what it computes of each field in each cycle. */
public record AggregateConfig(
        @Doc("Groups by the metric and these tags; empty groups by all tags.")
        List<String> by,

        @Doc("Groups by the metric and all tags but these; not together with by.")
        List<String> without,

        @Doc(
                "Functions per field: count, min, max, sum, mean, variance (of the population), or the name of an aggregator"
                        + " plugin. Empty, behind a composition (after) only: each of its points becomes rows at its own time.")
        List<String> functions,

        @Doc("A point whose time lies further than this before the cycle's is late; 0s never calls a point late.")
        Duration lateAfter) {
    /** Groups by all tags and computes the built-in functions. */
    public static final AggregateConfig DEFAULT = new AggregateConfig(null, null, null, null);

    /** Fills in the defaults. */
    public AggregateConfig {
        by = by == null ? List.of() : List.copyOf(by);
        without = without == null ? List.of() : List.copyOf(without);
        functions =
                functions == null ? List.of("count", "min", "max", "sum", "mean", "variance") : List.copyOf(functions);
        lateAfter = lateAfter == null ? Duration.ZERO : lateAfter;
        if (!by.isEmpty() && !without.isEmpty()) {
            throw new IllegalArgumentException("aggregate takes by or without, not both");
        }
        if (lateAfter.isNegative()) {
            throw new IllegalArgumentException("aggregate needs a late_after of 0s or more");
        }
    }
}
