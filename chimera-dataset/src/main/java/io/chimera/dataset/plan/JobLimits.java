package io.chimera.dataset.plan;

import java.util.OptionalDouble;

/**
 * Limits that a job should keep, as they are at a moment. The limits also set the aim: with only a time limit the
 * cheapest strategy within the limit; otherwise the fastest strategy within the limits.
 *
 * @param maxSeconds time limit in seconds from now; absent without a limit. Not positive after the limit has passed
 * @param maxCost limit of the cost; absent without a limit. Not positive after the money is spent
 */
public record JobLimits(OptionalDouble maxSeconds, OptionalDouble maxCost) {
    /** No limits: the fastest strategy. */
    public static final JobLimits NONE = new JobLimits(OptionalDouble.empty(), OptionalDouble.empty());

    /** Returns whether the job has a limit. */
    boolean hasLimit() {
        return maxSeconds.isPresent() || maxCost.isPresent();
    }

    /** Returns whether the cheapest strategy is wanted; otherwise the fastest. */
    boolean wantsCheapest() {
        return maxSeconds.isPresent() && maxCost.isEmpty();
    }

    /** Returns the limits for the rest of a job, after some time and cost. */
    JobLimits after(double seconds, double cost) {
        return new JobLimits(less(maxSeconds, seconds), less(maxCost, cost));
    }

    private static OptionalDouble less(OptionalDouble limit, double used) {
        return limit.isPresent() ? OptionalDouble.of(limit.getAsDouble() - used) : limit;
    }
}
