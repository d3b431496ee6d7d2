package io.chimera.common.cluster;

import java.time.Duration;

/**
 * Bounds of the period of cycles. The permitted periods are the lower bound and its doubles up to the upper bound, so
 * the boundaries of a longer period are boundaries of every shorter period.
 *
 * @param least shortest period
 * @param most upper bound of the periods
 */
public record CyclePeriods(Duration least, Duration most) {
    /** Truncates the bounds to whole milliseconds, and checks them. */
    public CyclePeriods {
        least = Duration.ofMillis(least.toMillis());
        most = Duration.ofMillis(most.toMillis());
        if (least.isZero() || least.isNegative() || most.compareTo(least) < 0) {
            throw new IllegalArgumentException(
                    "The shortest period is at least 1 ms and at most the longest, not " + least + " and " + most);
        }
    }

    /** Returns the bounds of a period that never changes. */
    public static CyclePeriods fixed(Duration period) {
        return new CyclePeriods(period, period);
    }

    /** Returns the next longer period, or the same period when no longer period is permitted. */
    public Duration longer(Duration period) {
        Duration twice = period.multipliedBy(2);
        return twice.compareTo(most) <= 0 ? twice : period;
    }

    /** Returns the next shorter period, or the same period when no shorter period is permitted. */
    public Duration shorter(Duration period) {
        return period.compareTo(least) > 0 ? period.dividedBy(2) : period;
    }

    /** Returns a duration limited to the bounds. */
    public Duration limit(Duration duration) {
        if (duration.compareTo(least) < 0) {
            return least;
        }
        return duration.compareTo(most) > 0 ? most : duration;
    }
}
