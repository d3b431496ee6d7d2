package io.chimera.common.config;

import java.time.Duration;

/**
 * Limits on the series of an input. Points of new series above a limit are refused and counted; known series are
 * unaffected.
 */
public record SeriesConfig(
        @Doc("Maximum number of known series; 0: no limit.") Integer max,

        @Doc("Maximum number of new series per minute, beginning ten minutes after the start; 0: no limit.")
        Integer perMinute,

        @Doc("Maximum number of known series of one sender (principal or client address); 0: no limit.")
        Integer senderMax,

        @Doc("Maximum number of new series of one sender per minute, beginning ten minutes after the start; 0: no"
                + " limit.")
        Integer senderPerMinute,

        @Doc("Time without points after which a series is forgotten, at most twice this time; 1m to 7d.")
        Duration forgetAfter) {
    /** Default limits. */
    public static final SeriesConfig DEFAULT = new SeriesConfig(null, null, null, null, null);

    /** Maximum of each limit, because each series takes 16 bytes of memory. */
    private static final int MAX = 100_000_000;

    /** Sets the defaults. */
    public SeriesConfig {
        max = max == null ? 1_000_000 : max; // equal to the default number of groups of a processor
        perMinute = perMinute == null ? 100_000 : perMinute;
        senderMax = senderMax == null ? 500_000 : senderMax;
        senderPerMinute = senderPerMinute == null ? 50_000 : senderPerMinute;
        forgetAfter = forgetAfter == null ? Duration.ofHours(1) : forgetAfter;
        new Requirements()
                .between("max", max, 0, MAX)
                .between("per_minute", perMinute, 0, MAX)
                .between("sender_max", senderMax, 0, MAX)
                .between("sender_per_minute", senderPerMinute, 0, MAX)
                .between("forget_after", forgetAfter, Duration.ofMinutes(1), Duration.ofDays(7))
                .check();
    }
}
