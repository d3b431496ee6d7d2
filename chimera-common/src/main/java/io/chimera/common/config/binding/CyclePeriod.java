package io.chimera.common.config.binding;

import java.time.Duration;

/**
 * Period of cycles, written as {@code auto} or as a duration.
 *
 * @param fixed more than 0; 0 for {@link #AUTO}
 */
public record CyclePeriod(Duration fixed) {
    /** Period that the conductor chooses between two bounds. */
    public static final CyclePeriod AUTO = new CyclePeriod(Duration.ZERO);

    private static final String AUTO_TEXT = "auto";

    /** Checks the range. */
    public CyclePeriod {
        if (fixed.isNegative()) {
            throw new IllegalArgumentException("A period is not negative.");
        }
    }

    /**
     * Parses a period.
     *
     * @throws IllegalArgumentException for another format, or a duration of 0
     */
    public static CyclePeriod parse(String text) {
        if (text.equals(AUTO_TEXT)) {
            return AUTO;
        }
        Duration duration = Durations.parse(text);
        if (duration.isZero()) {
            throw new IllegalArgumentException("no period");
        }
        return new CyclePeriod(duration);
    }

    /** Returns whether the conductor chooses the period. */
    public boolean isAuto() {
        return fixed.isZero();
    }

    /** Formats the period as in the file. */
    @Override
    public String toString() {
        return isAuto() ? AUTO_TEXT : Durations.format(fixed);
    }
}
