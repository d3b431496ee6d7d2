package io.chimera.common.config;

import java.time.Duration;

/**
 * Limits on the series of an input. Points of new series above a limit are refused and counted; known series are
 * unaffected.
 */
public record SeriesConfig(
        @Doc("Series known at one time; 0: no limit.") Integer max,

        @Doc("New series a minute, from ten minutes after the start on; 0: no limit.")
        Integer perMinute,

        @Doc("Series known at one time of one sender, which is a principal or a client address; 0: no limit.")
        Integer senderMax,

        @Doc("New series a minute of one sender, from ten minutes after the start on; 0: no limit.")
        Integer senderPerMinute,

        @Doc("A series is forgotten when no point of it came for this time, or for at most twice this time; 1m to 7d.")
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
