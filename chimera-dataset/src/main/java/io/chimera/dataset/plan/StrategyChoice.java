package io.chimera.dataset.plan;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Orders predictions by the limits of a job. The measure is the cost where the job wants the cheapest strategy, and the
 * time otherwise; the excess is the larger of time / time limit and cost / cost limit.
 *
 * <p>Best prediction: among the predictions that keep the limits the smallest measure; if none keeps the limits, the
 * smallest excess. Measures within 2 % are equal: then the other of time and cost decides, and then the strategy with
 * the fewest parts.
 */
final class StrategyChoice {
    /** Factor between two measures that count as equal. */
    static final double EQUAL = 1.02;

    private final JobLimits limits;

    StrategyChoice(JobLimits limits) {
        this.limits = limits;
    }

    /** Returns the excess: at most 1 when the prediction keeps the limits; infinite after a limit has passed. */
    double excess(Prediction prediction) {
        return Math.max(ratio(prediction.seconds(), limits.maxSeconds()), ratio(prediction.cost(), limits.maxCost()));
    }

    private static double ratio(double value, OptionalDouble limit) {
        if (limit.isEmpty()) {
            return 0;
        }
        return limit.getAsDouble() > 0 ? value / limit.getAsDouble() : Double.POSITIVE_INFINITY;
    }

    boolean keepsLimits(Prediction prediction) {
        return excess(prediction) <= 1;
    }

    /** Returns the best of some predictions, at least one. */
    Prediction best(List<Prediction> predictions) {
        List<Prediction> kept = predictions.stream().filter(this::keepsLimits).toList();
        List<Prediction> candidates = kept;
        if (kept.isEmpty()) {
            double least = predictions.stream().mapToDouble(this::excess).min().orElseThrow();
            candidates = predictions.stream()
                    .filter(prediction -> excess(prediction) <= least * EQUAL)
                    .toList();
        }
        double smallest = candidates.stream().mapToDouble(this::measure).min().orElseThrow();
        return candidates.stream()
                .filter(prediction -> measure(prediction) <= smallest * EQUAL)
                .min(Comparator.comparingDouble(this::otherMeasure).thenComparing(Prediction::strategy))
                .orElseThrow();
    }

    /**
     * Returns whether a change is worth its risk: the measure is less by more than the gain, or the excess where the
     * running strategy does not keep the limits.
     *
     * @param gain share of the measure, e.g. 0.1 for less than 90 %
     * @param other prediction with the cost of the change
     * @param running prediction of the running strategy
     */
    boolean isClearlyBetter(double gain, Prediction other, Prediction running) {
        boolean otherKeeps = keepsLimits(other);
        boolean runningKeeps = keepsLimits(running);
        double share = 1 - gain;
        if (runningKeeps || Double.isInfinite(excess(other))) {
            boolean isAllowed = otherKeeps || !runningKeeps;
            return isAllowed && isClearlyLess(other, running, share);
        }
        return excess(other) < share * excess(running);
    }

    /** Compares the measures; where everything is free, the times. */
    private boolean isClearlyLess(Prediction other, Prediction running, double share) {
        return measure(running) > 0
                ? measure(other) < share * measure(running)
                : other.seconds() < share * running.seconds();
    }

    private double measure(Prediction prediction) {
        return limits.wantsCheapest() ? prediction.cost() : prediction.seconds();
    }

    private double otherMeasure(Prediction prediction) {
        return limits.wantsCheapest() ? prediction.seconds() : prediction.cost();
    }
}
