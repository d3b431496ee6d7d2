package io.chimera.bench.datasets.path;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A network path between a client and a server.
 *
 * @param roundTrip time for a byte and its answer, at most a minute
 * @param bytesPerSecond rate of all connections together, in each direction
 * @param windowBytes maximum number of bytes of a connection that are sent and not acknowledged, in each direction
 */
public record PathModel(Duration roundTrip, long bytesPerSecond, int windowBytes) {
    /** Initial window of a connection: ten segments of 1,460 bytes, as in Linux. */
    public static final int WINDOW_INITIAL = 14_600;

    /** Window that an autotuned connection of Linux reaches with a receive buffer of 6 MB. */
    public static final int WINDOW_AUTOTUNED = 4 << 20;

    private static final Duration ROUND_TRIP_MAX = Duration.ofMinutes(1);
    private static final long BITS_PER_MEGABIT = 1_000_000;

    /**
     * Checks the values.
     *
     * @param roundTrip 0 to a minute
     * @param bytesPerSecond at least 1
     * @param windowBytes at least {@link #WINDOW_INITIAL}
     */
    public PathModel {
        if (roundTrip.isNegative()
                || roundTrip.compareTo(ROUND_TRIP_MAX) > 0
                || bytesPerSecond < 1
                || windowBytes < WINDOW_INITIAL) {
            throw new IllegalArgumentException("a path of " + roundTrip + ", " + bytesPerSecond
                    + " bytes/s and a window of " + windowBytes + " bytes; expected 0 to " + ROUND_TRIP_MAX
                    + ", at least 1 byte/s and " + WINDOW_INITIAL + " bytes");
        }
    }

    /**
     * Returns a path with an autotuned window.
     *
     * @param roundTripMs round trip in milliseconds
     * @param megabits rate in Mbit/s
     */
    public static PathModel of(int roundTripMs, int megabits) {
        return new PathModel(Duration.ofMillis(roundTripMs), megabits * BITS_PER_MEGABIT / Byte.SIZE, WINDOW_AUTOTUNED);
    }

    /** Returns the time of a byte from one end to the other in nanoseconds. */
    long oneWayNs() {
        return roundTrip.toNanos() / 2;
    }

    /** Returns the time to send some bytes at the full rate, in nanoseconds. */
    long sendNs(long bytes) {
        return bytes * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    }
}
