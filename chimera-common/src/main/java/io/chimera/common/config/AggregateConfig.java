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
                "Functions per field: count, min, max, sum, mean, variance (of the population); the quantiles p50, p99, p999 and"
                        + " so on (the digits behind 0.); distinct, the number of different values; top, the ten most"
                        + " frequent texts, or top1 to top100; or the name of an aggregator plugin.")
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
        if (functions.isEmpty() || lateAfter.isNegative()) {
            throw new IllegalArgumentException("aggregate needs at least one function and a late_after of 0s or more");
        }
    }
}
