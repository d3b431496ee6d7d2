package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.time.Duration;

/**
 * Conditions for the end of a cycle. Read by the coordinator, and by queue nodes for the rate of their position
 * reports.
 */
public record CycleConfig(
        @Doc("Interval between the begins of two cycles; 100ms to 1h.") @Default("10s")
        Duration every,

        @Doc("Approximate number of waiting points that ends a cycle early; 1_000 to 1_000_000_000.")
        @Default("5_000_000")
        Long maxPoints,

        @Doc("Maximum number of open cycles; at the limit, the next cycle waits. 1 to 16.") @Default("3")
        Integer inFlight,

        @Doc("Largest step of the coordinator's clock adopted by cycle times immediately; 1s to 1h. After a larger"
                + " step, cycle times follow the monotonic clock.")
        @Default("1m")
        Duration clockStepMax) {
    /** Checks the values. */
    public CycleConfig {
        new Requirements()
                .between("every", every, Duration.ofMillis(100), Duration.ofHours(1))
                .between("max_points", maxPoints, 1_000L, 1_000_000_000L)
                .between("in_flight", inFlight, 1, 16)
                .between("clock_step_max", clockStepMax, Duration.ofSeconds(1), Duration.ofHours(1))
                .check();
    }
}
