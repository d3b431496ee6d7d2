package io.chimera.bench.report;

import java.math.BigDecimal;

/**
 * A figure that was to be reached, and the one that was.
 *
 * @param goal what was to be reached
 * @param seen what was measured
 * @param met whether it was reached
 */
public record Goal(BigDecimal goal, BigDecimal seen, boolean met) {
    /** A goal for a rate. */
    public static Goal atLeast(BigDecimal goal, BigDecimal seen) {
        return new Goal(goal, seen, seen.compareTo(goal) >= 0);
    }

    /** A goal for a cost. */
    public static Goal atMost(BigDecimal goal, BigDecimal seen) {
        return new Goal(goal, seen, seen.compareTo(goal) <= 0);
    }
}
