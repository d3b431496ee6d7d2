package io.chimera.dataset.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Properties of model and adviser over random measurements; a failure names the seed. */
final class AdviserPropertyTest {
    private static final int SEEDS = 500;

    /** Whole jobs are simulated, with a review after every few splits. */
    private static final int JOBS = 40;

    private static final int SPLITS_PER_REVIEW = 10;

    private final Adviser adviser = new Adviser(SPLITS_PER_REVIEW);

    private static double fastest(List<Prediction> predictions) {
        return predictions.stream().mapToDouble(Prediction::seconds).min().orElseThrow();
    }

    @Test
    void choiceIsWithinTwoPercentOfTheBestPrediction() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Advice advice = adviser.advise(PlanSamples.random(new SplittableRandom(seed)));

            assertThat(advice.chosen().seconds())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(1.02 * fastest(advice.predictions()));
        }
    }

    @Test
    void predictionsAreFiniteAndWithinTheirBounds() {
        for (int seed = 0; seed < SEEDS; seed++) {
            PlanInput input = PlanSamples.random(new SplittableRandom(seed));
            for (Prediction prediction : adviser.advise(input).predictions()) {
                double longest = prediction.stageSeconds().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElseThrow();
                double sum = prediction.stageSeconds().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum();

                assertThat(prediction.cost()).as("seed %d", seed).isFinite().isPositive();
                assertThat(prediction.steadySeconds()).as("seed %d", seed).isBetween(0.0, sum * (1 + 1e-9));
                assertThat(prediction.bottleneckSeconds()).as("seed %d", seed).isGreaterThanOrEqualTo(0);
                assertThat(prediction.seconds())
                        .as("seed %d", seed)
                        .isFinite()
                        .isGreaterThan(prediction.strategy() == Strategy.COPY ? 0.5 * longest : 0.999 * longest);
            }
        }
    }

    /** Transfer and computation in turn, without storage, are the upper bound of stream. */
    @Test
    void streamIsNeverSlowerThanTransferAndComputationInTurn() {
        for (int seed = 0; seed < SEEDS; seed++) {
            PlanInput input = PlanSamples.random(new SplittableRandom(seed));
            Prediction stream =
                    adviser.advise(input).prediction(Strategy.STREAM).orElseThrow();
            NodeCounts nodes = input.measurements().nodes();
            double perCore = input.measurements().receivingBytesPerCoreSecond().orElse(Double.POSITIVE_INFINITY);
            double receiving = input.extent().bytes() / (perCore * nodes.workers() * nodes.coresPerNode());
            double transfer = Math.max(stream.stage(JobStage.SOURCE), stream.stage(JobStage.NETWORK));

            assertThat(stream.steadySeconds())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(
                            (Math.max(transfer, receiving) + stream.stage(JobStage.COMPUTING_CPU)) * (1 + 1e-9));
        }
    }

    /** A faster computation, storage or source never makes a prediction slower. */
    @Test
    void predictionsFallWithEveryRate() {
        for (int seed = 0; seed < SEEDS; seed++) {
            PlanInput input = PlanSamples.random(new SplittableRandom(seed));
            List<Corrections> faster = List.of(
                    new Corrections(2, 1, 1, 1, 1),
                    new Corrections(1, 0.5, 1, 1, 1),
                    new Corrections(1, 1, 2, 1, 1),
                    new Corrections(1, 1, 1, 2, 1),
                    new Corrections(1, 1, 1, 1, 2));
            for (Prediction prediction : adviser.advise(input).predictions()) {
                for (Corrections corrections : faster) {
                    double seconds = new PerformanceModel(input, corrections)
                            .predict(prediction.strategy())
                            .seconds();

                    assertThat(seconds)
                            .as("seed %d %s %s", seed, prediction.strategy(), corrections)
                            .isLessThanOrEqualTo(prediction.seconds() * (1 + 1e-9));
                }
            }
        }
    }

    /** A job with exact measurements is as fast as its best strategy, or faster by a change at the right time. */
    @Test
    void exactMeasurementsGiveTheTimeOfTheBestStrategy() {
        for (int seed = 0; seed < JOBS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            PlanInput truth = PlanSamples.random(random);
            Advice first = adviser.advise(truth);

            double seconds = new SimulatedDataSetJob(truth, random, 0).run(adviser, first, SPLITS_PER_REVIEW);

            assertThat(seconds).as("seed %d", seed).isLessThanOrEqualTo(1.03 * fastest(first.predictions()));
        }
    }

    /** A review never keeps a strategy that is worse than the best by more than the hysteresis, unless too recent. */
    @Test
    void reviewsStayWithinTheHysteresisOfTheBest() {
        for (int seed = 0; seed < JOBS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            PlanInput truth = PlanSamples.random(random);
            PlanInput sampled = truth.withMeasurements(PlanSamples.noisy(truth.measurements(), random, 0.6));
            SimulatedDataSetJob job = new SimulatedDataSetJob(truth, random, 0);
            job.run(adviser, adviser.advise(sampled), SPLITS_PER_REVIEW);

            for (Advice advice : job.reviews()) {
                boolean isFirst = advice.changes() == 0;
                double hysteresis = isFirst ? Adviser.HYSTERESIS : Adviser.LATER_HYSTERESIS;
                if (advice.reasons(ReasonCode.STAYED_RECENT).isEmpty()) {
                    assertThat(advice.chosen().seconds() * (1 - hysteresis))
                            .as("seed %d", seed)
                            .isLessThanOrEqualTo(1.02 * fastest(advice.predictions()));
                }
            }
        }
    }

    /** A sample and rates with errors up to 20 % change the strategy at most once, and the time by less than 20 %. */
    @Test
    void noiseOfTwentyPercentDoesNotMoveTheJobBackAndForth() {
        for (int seed = 0; seed < JOBS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            PlanInput truth = PlanSamples.random(random);
            PlanInput sampled = truth.withMeasurements(PlanSamples.noisy(truth.measurements(), random, 0.2));
            SimulatedDataSetJob job = new SimulatedDataSetJob(truth, random, 0.2);

            double seconds = job.run(adviser, adviser.advise(sampled), SPLITS_PER_REVIEW);

            assertThat(job.strategies()).as("seed %d", seed).hasSizeLessThanOrEqualTo(2);
            assertThat(seconds)
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(1.2 * fastest(adviser.advise(truth).predictions()));
        }
    }

    /** Strategies whose times differ by 0 to 30 %: the noise moves their order, and the job changes at most once. */
    @Test
    void noiseDoesNotMoveTheJobBetweenNearlyEqualStrategies() {
        NodeCounts apart = new NodeCounts(1, 1, 1, true, PlanSamples.MEMORY, PlanSamples.MEMORY);
        for (int seed = 0; seed < JOBS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double starved = 0.6 * random.nextDouble(); // stream 100 + starved * 50 s, overlap 100 s
            SourceSample source = PlanSamples.source(10e6, 20, PlanSamples.rate(10e6 * (1 - starved)));
            PlanInput truth = PlanInput.of(PlanSamples.extent(1e9), PlanSamples.measured(source, 20e6, apart));
            PlanInput sampled = truth.withMeasurements(PlanSamples.noisy(truth.measurements(), random, 0.2));
            SimulatedDataSetJob job = new SimulatedDataSetJob(truth, random, 0.2);

            job.run(adviser, adviser.advise(sampled), SPLITS_PER_REVIEW);

            assertThat(job.strategies()).as("seed %d", seed).hasSizeLessThanOrEqualTo(2);
        }
    }
}
