package io.chimera.apps.node.load;

import java.time.Duration;

/**
 * A generated load whose counts and sums are known beforehand: point {@code i} of all belongs to series
 * {@code i mod series}, and the values of a series are base, base + 1, base + 2 …, whole numbers, so that sums of doubles
 * are exact. The base of a series follows from the seed.
 *
 * @param series number of series
 * @param rate points per second over all series
 * @param duration how long
 * @param seed decides the bases
 */
public record LoadPlan(int series, long rate, Duration duration, long seed) {
    /** Metric of every point. */
    public static final String METRIC = "load";

    /** Field of every point; KairosDB's protocols know no other name. */
    public static final String FIELD = "value";

    private static final int BASES = 1_000;

    /** Checks the ranges. */
    public LoadPlan {
        if (series < 1 || series > 10_000_000 || rate < 1 || rate > 100_000_000 || duration.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "A load has 1 to 10 million series, 1 to 100 million points a second, and lasts 1 ms or more.");
        }
    }

    /** Points in all. */
    public long points() {
        return Math.multiplyExact(rate, duration.toMillis()) / 1_000;
    }

    /** Points of a series. */
    public long pointsOf(int ofSeries) {
        return (points() - ofSeries + series - 1) / series;
    }

    /** First value of a series. */
    public long baseOf(int ofSeries) {
        long mixed = (ofSeries + 1) * 0x9E3779B97F4A7C15L ^ seed * 0xC2B2AE3D27D4EB4FL;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return Long.remainderUnsigned(mixed ^ (mixed >>> 32), BASES);
    }

    /** Value of the given point, counted from 0, of a series. */
    public long valueOf(int ofSeries, long round) {
        return baseOf(ofSeries) + round;
    }

    /** Sum of the first values of a series. */
    public long sumOf(int ofSeries, long rounds) {
        return rounds * baseOf(ofSeries) + rounds * (rounds - 1) / 2;
    }

    /** Sum of all values of all series. */
    public long sum() {
        long sum = 0;
        for (int i = 0; i < series; i++) {
            sum += sumOf(i, pointsOf(i));
        }
        return sum;
    }
}
