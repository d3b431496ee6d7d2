package io.chimera.dataset.job;

import io.chimera.dataset.plan.Strategy;
import java.util.List;

/**
 * A choice of the strategy in the course of a job.
 *
 * @param afterSplits splits that this run had computed before
 * @param strategy strategy from then on
 * @param reasons sentences for people; none when the job names the strategy
 */
public record ChosenStrategy(int afterSplits, Strategy strategy, List<String> reasons) {
    /** Copies the list. */
    public ChosenStrategy {
        reasons = List.copyOf(reasons);
    }
}
