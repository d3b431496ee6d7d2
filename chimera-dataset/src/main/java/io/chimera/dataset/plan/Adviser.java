package io.chimera.dataset.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Chooses the strategy of a job from the predictions of {@link PerformanceModel}, and reviews the choice while the job
 * runs. {@link StrategyChoice} has the order of predictions.
 *
 * <p>A review corrects the model by the measured rates and changes the strategy only under all of these conditions, so
 * that noise in the rates does not move the job back and forth:
 *
 * <ul>
 *   <li>The rates are averaged geometrically: a new measurement has weight 1/2, then 1/3, then 1/4.
 *   <li>The remaining time (or cost, where the cheapest strategy is wanted) with the change is less than 90 % of the
 *       remaining time without the change; less than 80 % after a first change. The change costs the drain of the
 *       splits under way and a new start.
 *   <li>Enough splits are done since the last change: {@code splitsBetweenChanges}, doubled after each change.
 * </ul>
 *
 * <p>Immutable; any thread.
 */
public final class Adviser {
    /** Share of the remaining time or cost by which a job must gain from its first change. */
    public static final double HYSTERESIS = 0.10;

    /** Share by which a job must gain from every later change. */
    public static final double LATER_HYSTERESIS = 0.20;

    /** Largest exponent of the growing distance between changes. */
    private static final int DOUBLINGS_MAX = 20;

    /** Number of reviews after which the weight of a new measurement is constant: 1 / (2 + 2). */
    private static final int LEARNING_REVIEWS = 2;

    /** Smallest number of splits before the first change of a job. */
    private static final int SPLITS_BETWEEN_CHANGES = 4;

    private final int splitsBetweenChanges;

    /** Creates an adviser with at least four splits before the first change. */
    public Adviser() {
        this(SPLITS_BETWEEN_CHANGES);
    }

    /**
     * Creates an adviser with another distance of changes.
     *
     * @param splitsBetweenChanges smallest number of splits before the first change, at least 1
     */
    Adviser(int splitsBetweenChanges) {
        if (splitsBetweenChanges < 1) {
            throw new IllegalArgumentException(splitsBetweenChanges + " splits between changes; expected at least 1");
        }
        this.splitsBetweenChanges = splitsBetweenChanges;
    }

    /**
     * Advises before a job runs.
     *
     * @param input the job
     */
    public Advice advise(PlanInput input) {
        PerformanceModel model = new PerformanceModel(input, Corrections.NONE);
        List<Prediction> predictions = new ArrayList<>();
        for (Strategy strategy : Strategy.values()) {
            if (model.isPossible(strategy)) {
                predictions.add(model.predict(strategy));
            }
        }
        Prediction best = new StrategyChoice(input.limits()).best(predictions);
        List<Reason> reasons = new AdviceWriter(input, predictions, best).reasons();
        return new Advice(input, Corrections.NONE, predictions, best.strategy(), reasons, 0, 0);
    }

    /**
     * Reviews the choice of a running job. The predictions of the new advice are for the rest of the job. The number of
     * cores for reception changes only with the strategy.
     *
     * @param advice the last advice; its choice is the running strategy
     * @param progress progress and measured rates
     * @return the next advice; the same advice when every byte is computed
     * @throws IllegalArgumentException when the progress has more bytes than the job
     */
    public Advice reconsider(Advice advice, MeasuredProgress progress) {
        PlanInput input = advice.input();
        long left = input.extent().bytes() - progress.computedBytes();
        if (left < progress.copiedBytes()) {
            throw new IllegalArgumentException(
                    "progress of " + progress.computedBytes() + " bytes computed and " + progress.copiedBytes()
                            + " copied; the job has " + input.extent().bytes());
        }
        if (left == 0) {
            return advice;
        }
        double weight = 1.0 / (2 + Math.min(advice.reviews(), LEARNING_REVIEWS));
        Corrections newer = new CorrectionEstimate(input, advice.chosen()).of(progress, advice.corrections());
        Corrections corrections = advice.corrections().smoothed(newer, weight);
        PlanInput rest = input.rest(
                new DataSetExtent(left, input.extent().splitBytes(), progress.copiedBytes()),
                input.limits().after(progress.elapsedSeconds(), progress.spent()));
        PerformanceModel model = new PerformanceModel(rest, corrections);
        Prediction running =
                model.predictRunning(advice.choice(), advice.chosen().receivingCores());
        List<Prediction> predictions = remaining(model, running);
        StrategyChoice order = new StrategyChoice(rest.limits());
        Prediction best = order.best(predictions);
        ReasonCode decision = decide(order, best, running, advice.changes(), progress);
        boolean isChange = decision == ReasonCode.CHANGED;
        Prediction next = isChange ? best : running;
        List<Reason> reasons = new ArrayList<>();
        if (best.strategy() != running.strategy()) {
            reasons.add(reason(decision, running, best, advice.changes()));
        }
        reasons.addAll(new AdviceWriter(rest, predictions, next).reasonsOfReview());
        return new Advice(
                input,
                corrections,
                predictions,
                next.strategy(),
                reasons,
                advice.changes() + (isChange ? 1 : 0),
                advice.reviews() + 1);
    }

    private static List<Prediction> remaining(PerformanceModel model, Prediction running) {
        List<Prediction> predictions = new ArrayList<>();
        for (Strategy strategy : Strategy.values()) {
            if (strategy == running.strategy()) {
                predictions.add(running);
            } else if (model.isPossible(strategy)) {
                predictions.add(model.predictChange(strategy, running.tailSeconds()));
            }
        }
        return predictions;
    }

    private ReasonCode decide(
            StrategyChoice order, Prediction best, Prediction running, int changes, MeasuredProgress progress) {
        if (best.strategy() == running.strategy() || !order.isClearlyBetter(hysteresis(changes), best, running)) {
            return ReasonCode.STAYED_CLOSE;
        }
        long distance = (long) splitsBetweenChanges << Math.min(changes, DOUBLINGS_MAX);
        return progress.splitsSinceChange() < distance ? ReasonCode.STAYED_RECENT : ReasonCode.CHANGED;
    }

    private static double hysteresis(int changes) {
        return changes == 0 ? HYSTERESIS : LATER_HYSTERESIS;
    }

    private static Reason reason(ReasonCode decision, Prediction running, Prediction best, int changes) {
        String better = best.strategy().label() + " needs " + Quantities.duration(best.seconds())
                + " for the rest with the change, " + running.strategy().label() + " "
                + Quantities.duration(running.seconds());
        String outcome =
                switch (decision) {
                    case CHANGED -> "Change to " + best.strategy().label() + ": " + better + ".";
                    case STAYED_RECENT ->
                        "No change: " + better + ", but too few splits are done since the start or the last change.";
                    default ->
                        "No change: " + better + "; a change needs a gain of more than "
                                + Quantities.percent(hysteresis(changes)) + ".";
                };
        Map<String, Double> figures = Map.of(
                "bestSeconds", best.seconds(),
                "runningSeconds", running.seconds(),
                "bestCost", best.cost(),
                "runningCost", running.cost());
        return new Reason(decision, figures, outcome);
    }
}
