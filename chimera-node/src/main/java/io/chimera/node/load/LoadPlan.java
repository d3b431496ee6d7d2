package io.chimera.node.load;

import java.time.Duration;

/**
 * Plan of a generated load with known counts and sums. Point {@code i} belongs to series {@code i mod series}. The
 * values of a series are base, base + 1, base + 2 …, whole numbers, so that sums of doubles are exact. The base of a
 * series is derived from the seed.
 *
 * @param series number of series
 * @param rate points per second over all series
 * @param duration duration of the load
 * @param seed seed of the bases
 */
public record LoadPlan(int series, long rate, Duration duration, long seed) {
    /** Metric of every point. */
    public static final String METRIC = "load";

    /** Field of every point; the only field name of KairosDB's protocols. */
    public static final String FIELD = "value";

    private static final int BASES = 1_000;

    /** Checks the ranges. */
    public LoadPlan {
        if (series < 1 || series > 10_000_000 || rate < 1 || rate > 100_000_000 || duration.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "A load must have 1 to 10 million series, 1 to 100 million points per second, and last at least 1"
                            + " ms.");
        }
    }

    /** Returns the total number of points. */
    public long points() {
        return Math.multiplyExact(rate, duration.toMillis()) / 1_000;
    }

    /** Returns the number of points of a series. */
    public long pointsOf(int ofSeries) {
        return (points() - ofSeries + series - 1) / series;
    }

    /** Returns the first value of a series. */
    public long baseOf(int ofSeries) {
        long mixed = (ofSeries + 1) * 0x9E3779B97F4A7C15L ^ seed * 0xC2B2AE3D27D4EB4FL;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return Long.remainderUnsigned(mixed ^ (mixed >>> 32), BASES);
    }

    /** Returns the value of a series' point with the given index, counted from 0. */
    public long valueOf(int ofSeries, long round) {
        return baseOf(ofSeries) + round;
    }

    /** Returns the sum of the first values of a series. */
    public long sumOf(int ofSeries, long rounds) {
        return rounds * baseOf(ofSeries) + rounds * (rounds - 1) / 2;
    }

    /** Returns the sum of all values of all series. */
    public long sum() {
        long sum = 0;
        for (int i = 0; i < series; i++) {
            sum += sumOf(i, pointsOf(i));
        }
        return sum;
    }
}
