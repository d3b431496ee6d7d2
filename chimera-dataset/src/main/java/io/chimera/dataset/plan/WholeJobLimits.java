package io.chimera.dataset.plan;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Limits of a whole job, no matter how often it is interrupted and who continues it. The cost of a local job begins
 * anew.
 *
 * @param deadlineMs time at which the job should have ended, in milliseconds since 1970 UTC; absent without a deadline
 * @param maxCost limit of the cost; absent without a limit
 */
public record WholeJobLimits(OptionalLong deadlineMs, OptionalDouble maxCost) {
    /** No limits: the fastest strategy. */
    public static final WholeJobLimits NONE = new WholeJobLimits(OptionalLong.empty(), OptionalDouble.empty());

    private static final double MS_PER_SECOND = 1_000;

    /**
     * Returns the limits as they are at a moment.
     *
     * @param nowMs the moment, in milliseconds since 1970 UTC
     */
    public JobLimits at(long nowMs) {
        OptionalDouble seconds = deadlineMs.isPresent()
                ? OptionalDouble.of((deadlineMs.getAsLong() - nowMs) / MS_PER_SECOND)
                : OptionalDouble.empty();
        return new JobLimits(seconds, maxCost);
    }
}
