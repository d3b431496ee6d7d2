package io.chimera.flow.ipfix;

import io.chimera.api.HotPath;

/**
 * Converts NTP timestamps (dateTimeMicroseconds, dateTimeNanoseconds): seconds since 1900 and fractions of 2^-32 s (RFC
 * 7011, 6.1.9).
 */
public final class Ntp {
    /** Seconds from 1900 to 1970. */
    private static final long EPOCH_SECONDS = 2_208_988_800L;

    private static final long NS_PER_S = 1_000_000_000;

    /** Lower bound of seconds in the first NTP era; smaller values belong to the era from 2036 on (RFC 7011, 6.1.8). */
    private static final long ERA_BIT = 1L << 31;

    private Ntp() {}

    /**
     * Converts ns since 1970 to a timestamp. The fraction is rounded up, so that {@link #toNs} returns the same
     * nanosecond.
     */
    @HotPath
    public static long of(long timeNs) {
        long seconds = Math.floorDiv(timeNs, NS_PER_S);
        long fraction = ((Math.floorMod(timeNs, NS_PER_S) << 32) + NS_PER_S - 1) / NS_PER_S;
        return ((seconds + EPOCH_SECONDS) << 32) | fraction;
    }

    /** Converts a timestamp to ns since 1970. */
    @HotPath
    public static long toNs(long stamp) {
        long seconds = stamp >>> 32;
        if (seconds < ERA_BIT) {
            seconds += 1L << 32;
        }
        return (seconds - EPOCH_SECONDS) * NS_PER_S + (((stamp & 0xFFFF_FFFFL) * NS_PER_S) >>> 32);
    }
}
