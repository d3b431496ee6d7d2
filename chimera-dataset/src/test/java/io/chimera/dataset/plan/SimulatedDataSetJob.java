package io.chimera.dataset.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;

/**
 * A job that runs as the performance model predicts from true measurements, while the adviser knows measurements with
 * errors. After every few splits the adviser reviews the choice with noisy rates.
 */
final class SimulatedDataSetJob {
    private final PlanInput truth;
    private final RandomGenerator random;
    private final double noise;
    private long computed;
    private long copied;
    private double elapsed;
    private long splitsSinceChange;
    private final List<Strategy> strategies = new ArrayList<>();
    private final List<Advice> reviews = new ArrayList<>();

    SimulatedDataSetJob(PlanInput truth, RandomGenerator random, double noise) {
        this.truth = truth;
        this.random = random;
        this.noise = noise;
    }

    /**
     * Runs the job.
     *
     * @param adviser the adviser
     * @param first the first advice
     * @param splitsPerReview splits between reviews
     * @return duration in seconds, with every change
     */
    double run(Adviser adviser, Advice first, int splitsPerReview) {
        Advice advice = first;
        strategies.add(advice.choice());
        elapsed = truth().predict(advice.choice()).startSeconds();
        while (computed < truth.extent().bytes()) {
            MeasuredProgress progress = step(advice.chosen(), splitsPerReview);
            Advice next = adviser.reconsider(advice, progress);
            reviews.add(next);
            if (next.choice() != advice.choice() && computed < truth.extent().bytes()) {
                elapsed += running(advice.chosen()).tailSeconds()
                        + truth().predict(next.choice()).startSeconds();
                splitsSinceChange = 0;
                strategies.add(next.choice());
            }
            advice = next;
        }
        return elapsed;
    }

    /** Returns the strategies in the order of use. */
    List<Strategy> strategies() {
        return strategies;
    }

    /** Returns the advice of each review. */
    List<Advice> reviews() {
        return reviews;
    }

    private PerformanceModel truth() {
        return new PerformanceModel(truth.rest(rest(), JobLimits.NONE), Corrections.NONE);
    }

    private DataSetExtent rest() {
        return new DataSetExtent(
                truth.extent().bytes() - computed, truth.extent().splitBytes(), copied);
    }

    private Prediction running(Prediction chosen) {
        return truth().predictRunning(chosen.strategy(), chosen.receivingCores());
    }

    private MeasuredProgress step(Prediction chosen, int splits) {
        Strategy strategy = chosen.strategy();
        Prediction before = running(chosen);
        StageRates rates = StageRates.of(strategy, truth.measurements(), rest(), Corrections.NONE);
        boolean isCopying = strategy == Strategy.COPY && copied < truth.extent().bytes() - computed;
        double far = rest().farBytes();
        double arrival = Math.max(
                Math.max(before.stage(JobStage.SOURCE), before.stage(JobStage.NETWORK)),
                before.stage(JobStage.RECEIVING_CPU));
        boolean isWaiting = isCopying || arrival > before.stage(JobStage.COMPUTING_CPU);
        OptionalDouble reception =
                far > 0 && arrival > 0 && isWaiting ? OptionalDouble.of(far / arrival) : OptionalDouble.empty();
        if (isCopying) {
            double in = Math.min(rates.idle(), rates.receivingPerCore() * receivingCores(rates));
            reception = OptionalDouble.of(in);
        }
        advance(isCopying, splits);
        double left = truth.extent().bytes() - computed;
        elapsed += before.seconds() - (left > 0 ? running(chosen).seconds() : 0);
        splitsSinceChange += splits;
        boolean isWriting = isCopying || strategy == Strategy.OVERLAP;
        return new MeasuredProgress(
                computed,
                copied,
                elapsed,
                0,
                splitsSinceChange,
                PlanSamples.noisy(finite(reception), random, noise),
                isCopying
                        ? OptionalDouble.empty()
                        : PlanSamples.noisy(OptionalDouble.of(rates.computingPerCore()), random, noise),
                isWriting
                        ? PlanSamples.noisy(finite(OptionalDouble.of(rates.write())), random, noise)
                        : OptionalDouble.empty(),
                strategy == Strategy.COPY && !isCopying
                        ? PlanSamples.noisy(finite(OptionalDouble.of(rates.read())), random, noise)
                        : OptionalDouble.empty());
    }

    private static OptionalDouble finite(OptionalDouble value) {
        return Double.isInfinite(value.orElse(0)) ? OptionalDouble.empty() : value;
    }

    private static int receivingCores(StageRates rates) {
        return rates.receivers() * rates.nodes().coresPerNode();
    }

    /** Copies some splits, or computes some splits: with and without copies in proportion, as the model assumes. */
    private void advance(boolean isCopying, int splits) {
        long left = truth.extent().bytes() - computed;
        long bytes = splits * truth.extent().splitBytes();
        if (isCopying) {
            copied = Math.min(left, copied + bytes);
            return;
        }
        long done = Math.min(left, bytes);
        computed += done;
        copied = Math.min(left - done, copied - (long) ((double) copied * done / left));
    }
}
