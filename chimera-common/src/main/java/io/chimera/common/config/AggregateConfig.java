package io.chimera.common.config;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Grouping of a pipeline's points, and functions per field and cycle. */
public record AggregateConfig(
        @Doc("Groups by the metric and these tags; empty groups by all tags.")
        List<String> by,

        @Doc("Groups by the metric and all tags but these; not together with by.")
        List<String> without,

        @Doc(
                "Functions per field: count, min, max, sum, mean, variance (of the population); the quantiles p50, p99, p999 and"
                        + " so on (the digits behind 0.); distinct, the number of different values; top, the ten most"
                        + " frequent texts, or top1 to top100; or the name of an aggregator plugin. Empty, behind a"
                        + " composition (after) only: each of its points becomes rows at its own time.")
        List<String> functions,

        @Doc("A point whose time lies further than this before the cycle's is late; 0s never calls a point late.")
        Duration lateAfter,

        @Doc(
                "Records of one series in a part of a cycle behind which the queue node puts further ones together before it sends"
                        + " them; 0 never does. Only with count, min, max, sum, mean and variance, and without blocks.")
        Integer combineAfter) {
    /** Default: groups by all tags and computes the built-in functions. */
    public static final AggregateConfig DEFAULT = new AggregateConfig(null, null, null, null, null);

    /** Functions computable from pre-aggregated records. */
    private static final Set<String> COMBINED = Set.of("count", "min", "max", "sum", "mean", "variance");

    /** Creates a configuration without pre-aggregation. */
    public AggregateConfig(List<String> by, List<String> without, List<String> functions, Duration lateAfter) {
        this(by, without, functions, lateAfter, null);
    }

    /** Sets the defaults. */
    public AggregateConfig {
        by = by == null ? List.of() : List.copyOf(by);
        without = without == null ? List.of() : List.copyOf(without);
        functions =
                functions == null ? List.of("count", "min", "max", "sum", "mean", "variance") : List.copyOf(functions);
        lateAfter = lateAfter == null ? Duration.ZERO : lateAfter;
        if (!by.isEmpty() && !without.isEmpty()) {
            throw new IllegalArgumentException("aggregate takes by or without, not both");
        }
        combineAfter = combineAfter == null ? 0 : combineAfter;
        if (combineAfter < 0 || (combineAfter > 0 && (functions.isEmpty() || !COMBINED.containsAll(functions)))) {
            throw new IllegalArgumentException(
                    "aggregate takes a combine_after of 0 or more, and above 0 only functions among count, min, max, sum, mean and"
                            + " variance");
        }
        if (lateAfter.isNegative()) {
            throw new IllegalArgumentException("aggregate needs a late_after of 0s or more");
        }
    }
}
