package io.chimera.common.config;

import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.config.binding.CyclePeriod;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.time.Duration;

/**
 * Conditions for the end of a cycle. Read by the coordinator, and by queue nodes for the rate of their position
 * reports.
 */
public record CycleConfig(
        @Doc("Interval between the begins of two cycles; 100ms to 1h. auto: the conductor chooses every_min, or one of"
                + " its doubles up to every_max, by the fixed cost of a cycle.")
        @Default("10s")
        CyclePeriod every,

        @Doc("Shortest interval with every: auto; 100ms to 1h.") @Default("1s")
        Duration everyMin,

        @Doc("Upper bound of the interval with every: auto; every_min to 1h.") @Default("30s")
        Duration everyMax,

        @Doc("Approximate number of waiting points that ends a cycle early; 1_000 to 1_000_000_000.")
        @Default("5_000_000")
        Long maxPoints,

        @Doc("Maximum number of open cycles; at the limit, the next cycle waits. 1 to 16.") @Default("3")
        Integer inFlight,

        @Doc("Largest step of the coordinator's clock adopted by cycle times immediately; 1s to 1h. After a larger"
                + " step, cycle times follow the monotonic clock.")
        @Default("1m")
        Duration clockStepMax) {
    private static final Duration EVERY_MIN = Duration.ofMillis(100);
    private static final Duration EVERY_MAX = Duration.ofHours(1);

    /** Checks the values. */
    public CycleConfig {
        new Requirements()
                .that(
                        every.isAuto()
                                || (every.fixed().compareTo(EVERY_MIN) >= 0
                                        && every.fixed().compareTo(EVERY_MAX) <= 0),
                        "every",
                        every,
                        "auto, or 100ms to 1h")
                .between("every_min", everyMin, EVERY_MIN, EVERY_MAX)
                .between("every_max", everyMax, everyMin, EVERY_MAX)
                .between("max_points", maxPoints, 1_000L, 1_000_000_000L)
                .between("in_flight", inFlight, 1, 16)
                .between("clock_step_max", clockStepMax, Duration.ofSeconds(1), Duration.ofHours(1))
                .check();
    }

    /** Returns the bounds of the period. */
    public CyclePeriods periods() {
        return every.isAuto() ? new CyclePeriods(everyMin, everyMax) : CyclePeriods.fixed(every.fixed());
    }
}
