package io.chimera.bench.report;

import java.math.BigDecimal;

/**
 * Goal of a figure, and its measured value.
 *
 * @param goal required value
 * @param seen measured value
 * @param met whether the goal is met
 */
public record Goal(BigDecimal goal, BigDecimal seen, boolean met) {
    /** Creates a minimum for a rate. */
    public static Goal atLeast(BigDecimal goal, BigDecimal seen) {
        return new Goal(goal, seen, seen.compareTo(goal) >= 0);
    }

    /** Creates a maximum for a cost. */
    public static Goal atMost(BigDecimal goal, BigDecimal seen) {
        return new Goal(goal, seen, seen.compareTo(goal) <= 0);
    }
}
