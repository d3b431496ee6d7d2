package io.chimera.common.config.pipeline;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Sections;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Grouping of a pipeline's points, and functions per field and cycle. */
public record AggregateConfig(
        @Doc("Groups by the metric and these tags; empty groups by all tags.") @Default
        List<String> by,

        @Doc("Groups by the metric and all tags except these; not together with by.") @Default
        List<String> without,

        @Doc("Functions per field: count, min, max, sum, mean, variance (of the population); the quantiles p50,"
                + " p99, p999 and so on (the digits after 0.); distinct, the number of different values; top, the"
                + " ten most frequent texts, or top1 to top100; or the name of an aggregator plugin. Empty, only"
                + " with a composition (after): each of its points becomes rows with the point's time.")
        @Default({"count", "min", "max", "sum", "mean", "variance"})
        List<String> functions,

        @Doc("Maximum age of a point relative to the time of its cycle; older points are late. 0s: no point is late.")
        @Default("0s")
        Duration lateAfter,

        @Doc("Pre-aggregate a series on the queue node after this number of records per part of a cycle;"
                + " 0: no pre-aggregation. Only with count, min, max, sum, mean and variance, and without blocks.")
        @Default("0")
        Integer combineAfter) {
    /** Default: groups by all tags and computes the built-in functions. */
    public static final AggregateConfig DEFAULT = Sections.of(AggregateConfig.class);

    /** Functions computable from pre-aggregated records. */
    private static final Set<String> COMBINED = Set.of("count", "min", "max", "sum", "mean", "variance");

    /** Checks the values. */
    public AggregateConfig {
        if (!by.isEmpty() && !without.isEmpty()) {
            throw new IllegalArgumentException("aggregate accepts by or without, not both");
        }
        if (combineAfter < 0 || (combineAfter > 0 && (functions.isEmpty() || !COMBINED.containsAll(functions)))) {
            throw new IllegalArgumentException(
                    "combine_after of aggregate must be 0 or more; above 0 it requires functions among count, min,"
                            + " max, sum, mean and variance");
        }
        if (lateAfter.isNegative()) {
            throw new IllegalArgumentException("late_after of aggregate must be 0s or more");
        }
    }
}
