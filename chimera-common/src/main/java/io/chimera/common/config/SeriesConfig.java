package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.time.Duration;

/**
 * Limits on the series of an input. Points of new series above a limit are refused and counted; known series are
 * unaffected.
 */
public record SeriesConfig(
        @Doc("Maximum number of known series; 0: no limit.")
        @Default("1_000_000") // equal to the default number of groups of a processor
        Integer max,

        @Doc("Maximum number of new series per minute, beginning ten minutes after the start; 0: no limit.")
        @Default("100_000")
        Integer perMinute,

        @Doc("Maximum number of known series of one sender (principal or client address); 0: no limit.")
        @Default("500_000")
        Integer senderMax,

        @Doc("Maximum number of new series of one sender per minute, beginning ten minutes after the start; 0: no"
                + " limit.")
        @Default("50_000")
        Integer senderPerMinute,

        @Doc("Time without points after which a series is forgotten, at most twice this time; 1m to 7d.") @Default("1h")
        Duration forgetAfter) {
    /** Maximum of each limit, because each series takes 16 bytes of memory. */
    private static final int MAX = 100_000_000;

    /** Checks the values. */
    public SeriesConfig {
        new Requirements()
                .between("max", max, 0, MAX)
                .between("per_minute", perMinute, 0, MAX)
                .between("sender_max", senderMax, 0, MAX)
                .between("sender_per_minute", senderPerMinute, 0, MAX)
                .between("forget_after", forgetAfter, Duration.ofMinutes(1), Duration.ofDays(7))
                .check();
    }
}
