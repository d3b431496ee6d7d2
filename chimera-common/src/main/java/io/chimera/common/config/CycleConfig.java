package io.chimera.common.config;

import java.time.Duration;

/**
 * Conditions for the end of a cycle. Read by the coordinator, and by queue nodes for the rate of their position
 * reports.
 */
public record CycleConfig(
        @Doc("Interval between the begins of two cycles; 100ms to 1h.")
        Duration every,

        @Doc("Approximate number of waiting points that ends a cycle early; 1_000 to 1_000_000_000.")
        Long maxPoints,

        @Doc("Maximum number of open cycles; at the limit, the next cycle waits. 1 to 16.")
        Integer inFlight,

        @Doc("Largest step of the coordinator's clock adopted by cycle times immediately; 1s to 1h. After a larger"
                + " step, cycle times follow the monotonic clock.")
        Duration clockStepMax) {
    /** Sets the defaults. */
    public CycleConfig {
        every = every == null ? Duration.ofSeconds(10) : every;
        maxPoints = maxPoints == null ? 5_000_000L : maxPoints;
        inFlight = inFlight == null ? 3 : inFlight;
        clockStepMax = clockStepMax == null ? Duration.ofMinutes(1) : clockStepMax;
        new Requirements()
                .between("every", every, Duration.ofMillis(100), Duration.ofHours(1))
                .between("max_points", maxPoints, 1_000L, 1_000_000_000L)
                .between("in_flight", inFlight, 1, 16)
                .between("clock_step_max", clockStepMax, Duration.ofSeconds(1), Duration.ofHours(1))
                .check();
    }
}
