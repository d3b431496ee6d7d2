package io.chimera.dataset.compute;

import java.time.Duration;

/**
 * Windows of event time, aligned to 1970-01-01T00:00Z. The rows of a window have the time of its start.
 *
 * @param lengthNs length of a window in nanoseconds, a multiple of a millisecond, the resolution of rows
 */
public record Windows(long lengthNs) {
    private static final long NS_PER_MS = 1_000_000;

    /**
     * Checks the length.
     *
     * @param lengthNs at least a millisecond
     */
    public Windows {
        if (lengthNs < NS_PER_MS || lengthNs % NS_PER_MS != 0) {
            throw new IllegalArgumentException(
                    "window of " + Duration.ofNanos(lengthNs) + "; expected a multiple of a millisecond");
        }
    }

    /** Returns the start of the window of a time, both in nanoseconds since 1970. */
    public long startOf(long timeNs) {
        return timeNs - Math.floorMod(timeNs, lengthNs);
    }

    /**
     * Returns the latest time whose window ends within the range of a 64-bit number of nanoseconds. Times after it have
     * no window: its end, which spans of windows need, would be a negative number.
     */
    public long latestNs() {
        return startOf(Long.MAX_VALUE) - 1;
    }

    /** Returns the time of the rows of a window, in milliseconds since 1970. */
    public static long rowTimeMs(long startNs) {
        return startNs / NS_PER_MS;
    }
}
