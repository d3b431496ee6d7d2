package io.chimera.dataset.plan;

import java.util.List;
import java.util.Optional;

/**
 * Advice of the {@link Adviser} for a job, or for the rest of a running job. Immutable.
 *
 * @param input the job as sampled
 * @param corrections factors of the measured rates so far; {@link Corrections#NONE} before the job runs
 * @param predictions a prediction for each possible strategy, in the order of {@link Strategy}
 * @param choice the strategy to use from now
 * @param reasons facts behind the choice
 * @param changes number of changes of the strategy so far
 * @param reviews number of reviews with measured rates so far
 */
public record Advice(
        PlanInput input,
        Corrections corrections,
        List<Prediction> predictions,
        Strategy choice,
        List<Reason> reasons,
        int changes,
        int reviews) {
    /**
     * Copies the lists.
     *
     * @param input the job as sampled
     * @param corrections factors
     * @param predictions predictions; contains the choice
     * @param choice the strategy to use
     * @param reasons facts
     * @param changes at least 0
     * @param reviews at least 0
     */
    public Advice {
        predictions = List.copyOf(predictions);
        reasons = List.copyOf(reasons);
    }

    /** Returns the prediction for a strategy; empty when the job cannot use the strategy. */
    public Optional<Prediction> prediction(Strategy strategy) {
        return predictions.stream()
                .filter(prediction -> prediction.strategy() == strategy)
                .findFirst();
    }

    /** Returns the prediction for the choice. */
    public Prediction chosen() {
        return prediction(choice).orElseThrow();
    }

    /** Returns whether the choice keeps the limits of the job. */
    public boolean keepsLimits() {
        return reasons(ReasonCode.TIME_LIMIT_EXCEEDED).isEmpty()
                && reasons(ReasonCode.COST_LIMIT_EXCEEDED).isEmpty();
    }

    /** Returns the reasons of a kind. */
    public List<Reason> reasons(ReasonCode code) {
        return reasons.stream().filter(reason -> reason.code() == code).toList();
    }

    /** Returns the lines for people, without line ends. */
    public List<String> lines() {
        return reasons.stream().map(Reason::line).toList();
    }
}
