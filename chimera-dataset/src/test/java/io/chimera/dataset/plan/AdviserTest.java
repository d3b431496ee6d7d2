package io.chimera.dataset.plan;

import static io.chimera.dataset.plan.PlanSamples.extent;
import static io.chimera.dataset.plan.PlanSamples.measured;
import static io.chimera.dataset.plan.PlanSamples.rate;
import static io.chimera.dataset.plan.PlanSamples.singleWorker;
import static io.chimera.dataset.plan.PlanSamples.source;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Duration;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * 1 GB at 10 MB/s, computation 20 MB/s on a core, reception starved to 2 MB/s, data node apart: stream 100 + 0.8 * 50 =
 * 140 s on a node, overlap 100 s on two nodes, copy 100 + 50 = 150 s on two nodes.
 */
final class AdviserTest {
    private static final double MB = 1e6;
    private static final OptionalDouble NONE = OptionalDouble.empty();
    private static final Prices PER_NODE = new Prices(3.6, 0, 0, "USD");

    private final Adviser adviser = new Adviser(10);

    private static PlanInput input(OptionalDouble maxSeconds, OptionalDouble maxCost) {
        NodeCounts apart = new NodeCounts(1, 1, 1, true, PlanSamples.MEMORY, PlanSamples.MEMORY);
        return new PlanInput(
                extent(1000 * MB),
                measured(source(10 * MB, 20, rate(2 * MB)), 20 * MB, apart),
                PER_NODE,
                new JobLimits(maxSeconds, maxCost),
                FailureRisk.NONE,
                Duration.ZERO);
    }

    private static MeasuredProgress progress(double share, long splits, double reception, double computing) {
        return new MeasuredProgress(
                (long) (share * 1000 * MB),
                0,
                10,
                0.01,
                splits,
                OptionalDouble.of(reception),
                OptionalDouble.of(computing),
                NONE,
                NONE);
    }

    @Test
    void choosesTheFastestWithoutLimits() {
        Advice advice = adviser.advise(input(NONE, NONE));

        assertThat(advice.choice()).isEqualTo(Strategy.OVERLAP);
        assertThat(advice.keepsLimits()).isTrue();
        assertThat(advice.chosen().cost()).isCloseTo(0.2, withinPercentage(2));
        assertThat(advice.reasons(ReasonCode.FASTEST)).singleElement().satisfies(reason -> {
            assertThat(reason.figures().get("seconds")).isCloseTo(100.0, withinPercentage(2));
            assertThat(reason.line()).contains("overlap", "140 s", "USD");
        });
    }

    @Test
    void choosesTheFastestWithinTheCost() {
        Advice advice = adviser.advise(input(NONE, rate(0.15)));

        assertThat(advice.choice()).isEqualTo(Strategy.STREAM);
        assertThat(advice.keepsLimits()).isTrue();
    }

    @Test
    void choosesTheCheapestWithinTheTime() {
        assertThat(adviser.advise(input(rate(200), NONE)).choice()).isEqualTo(Strategy.STREAM);
        assertThat(adviser.advise(input(rate(120), NONE)).choice()).isEqualTo(Strategy.OVERLAP);
        assertThat(adviser.advise(input(rate(200), NONE)).reasons(ReasonCode.CHEAPEST))
                .hasSize(1);
    }

    @Test
    void reportsATimeLimitThatNoStrategyKeeps() {
        Advice advice = adviser.advise(input(rate(50), NONE));

        assertThat(advice.choice()).isEqualTo(Strategy.OVERLAP);
        assertThat(advice.keepsLimits()).isFalse();
        assertThat(advice.reasons(ReasonCode.LEAST_OVER_LIMIT)).hasSize(1);
        assertThat(advice.reasons(ReasonCode.TIME_LIMIT_EXCEEDED))
                .singleElement()
                .satisfies(reason -> assertThat(reason.line()).contains("no strategy"));
    }

    /** Time needs overlap, money needs stream: both exceed a limit. Stream: 140/120; overlap: 0.2/0.15. */
    @Test
    void choosesTheSmallestExcessBetweenConflictingLimits() {
        Advice advice = adviser.advise(input(rate(120), rate(0.15)));

        assertThat(advice.choice()).isEqualTo(Strategy.STREAM);
        assertThat(advice.reasons(ReasonCode.TIME_LIMIT_EXCEEDED))
                .singleElement()
                .satisfies(reason -> assertThat(reason.line()).contains("costs too much"));
        assertThat(advice.reasons(ReasonCode.COST_LIMIT_EXCEEDED)).isEmpty();
    }

    @Test
    void reasonsShowTheFormulasAndTheGaps() {
        Advice advice = adviser.advise(input(NONE, NONE));

        Reason starvation = advice.reasons(ReasonCode.STARVATION).get(0);
        assertThat(starvation.figures())
                .containsEntry("transferSeconds", 100.0)
                .containsEntry("computingSeconds", 50.0);
        assertThat(starvation.figures().get("share")).isEqualTo(0.8, within(1e-9));
        assertThat(starvation.figures().get("receivedSeconds")).isEqualTo(140, within(1e-6));
        assertThat(advice.reasons(ReasonCode.PREDICTION)).hasSize(3);
        assertThat(advice.reasons(ReasonCode.READ_AHEAD)).hasSize(1);
        assertThat(advice.reasons(ReasonCode.NOT_MEASURED)).hasSize(2);
        assertThat(advice.reasons(ReasonCode.ADDITIONS)).hasSize(1);
        assertThat(advice.lines()).allSatisfy(line -> assertThat(line).endsWith("."));
    }

    @Test
    void sameRatesKeepTheStrategy() {
        Advice advice = adviser.advise(input(NONE, NONE));

        Advice next = adviser.reconsider(advice, progress(0.3, 60, 10 * MB, 20 * MB));

        assertThat(next.choice()).isEqualTo(Strategy.OVERLAP);
        assertThat(next.changes()).isZero();
        assertThat(next.reviews()).isEqualTo(1);
        assertThat(next.chosen().seconds()).isCloseTo(70, withinPercentage(1));
        assertThat(next.chosen().startSeconds()).isZero();
    }

    /** Stream is measured at a third of the predicted rate: the adviser changes after enough splits, not before. */
    @Test
    void starvedStreamChangesAfterEnoughSplits() {
        Advice advice = adviser.advise(input(NONE, rate(0.15)));
        PlanInput unlimited = input(NONE, NONE);
        Advice stream =
                new Advice(unlimited, Corrections.NONE, advice.predictions(), Strategy.STREAM, advice.reasons(), 0, 0);

        Advice early = adviser.reconsider(stream, progress(0.05, 9, 3 * MB, 20 * MB));
        Advice later = adviser.reconsider(stream, progress(0.05, 10, 3 * MB, 20 * MB));

        assertThat(early.choice()).isEqualTo(Strategy.STREAM);
        assertThat(early.reasons(ReasonCode.STAYED_RECENT)).hasSize(1);
        assertThat(later.choice()).isEqualTo(Strategy.OVERLAP);
        assertThat(later.changes()).isEqualTo(1);
        assertThat(later.reasons(ReasonCode.CHANGED)).hasSize(1);
    }

    @Test
    void distanceOfChangesDoubles() {
        PlanInput unlimited = input(NONE, NONE);
        Advice first = adviser.advise(unlimited);
        Advice changedTwice =
                new Advice(unlimited, Corrections.NONE, first.predictions(), Strategy.STREAM, first.reasons(), 2, 0);

        assertThat(adviser.reconsider(changedTwice, progress(0.05, 39, 3 * MB, 20 * MB))
                        .choice())
                .isEqualTo(Strategy.STREAM);
        assertThat(adviser.reconsider(changedTwice, progress(0.05, 40, 3 * MB, 20 * MB))
                        .choice())
                .isEqualTo(Strategy.OVERLAP);
    }

    /** Stream at 3 MB/s does not end in 150 s; overlap does. The cheaper stream is left for the time limit. */
    @Test
    void timeLimitInDangerChangesTheStrategy() {
        Advice cheapest = adviser.advise(input(rate(160), NONE));

        Advice next = adviser.reconsider(cheapest, progress(0.05, 20, 3 * MB, 20 * MB));

        assertThat(cheapest.choice()).isEqualTo(Strategy.STREAM);
        assertThat(next.choice()).isEqualTo(Strategy.OVERLAP);
        assertThat(next.reasons(ReasonCode.CHANGED)).hasSize(1);
    }

    /** Overlap without starvation is within 10 % of stream: no change. */
    @Test
    void smallGainIsNoReasonToChange() {
        PlanInput plain = PlanInput.of(
                extent(1000 * MB),
                measured(
                        source(10 * MB, 0, rate(8.8 * MB)),
                        20 * MB,
                        new NodeCounts(1, 1, 1, true, PlanSamples.MEMORY, PlanSamples.MEMORY)));
        Advice first = adviser.advise(plain);
        Advice stream =
                new Advice(plain, Corrections.NONE, first.predictions(), Strategy.STREAM, first.reasons(), 0, 0);

        Advice next = adviser.reconsider(
                stream, new MeasuredProgress((long) (100 * MB), 0, 11, 0, 20, NONE, NONE, NONE, NONE));

        assertThat(first.choice()).isEqualTo(Strategy.OVERLAP);
        assertThat(next.choice()).isEqualTo(Strategy.STREAM);
        assertThat(next.reasons(ReasonCode.STAYED_CLOSE)).hasSize(1);
    }

    /** The measured rate is the rate of the corrected model. */
    @Test
    void correctionsReproduceTheMeasuredReception() {
        for (double rate : new double[] {1.5 * MB, 3 * MB, 7 * MB, 9 * MB, 15 * MB}) {
            PlanInput input = input(NONE, NONE);
            Prediction stream = new PerformanceModel(input, Corrections.NONE).predict(Strategy.STREAM);
            Corrections corrections = new CorrectionEstimate(input, stream)
                    .of(new MeasuredProgress(0, 0, 0, 0, 0, rate(rate), NONE, NONE, NONE), Corrections.NONE);

            Prediction corrected = new PerformanceModel(input, corrections).predict(Strategy.STREAM);

            double expected = 1000 * MB / rate;
            double received = Math.max(corrected.stage(JobStage.RECEIVING_CPU), corrected.stage(JobStage.SOURCE));
            assertThat(received).as("%s", corrections).isCloseTo(expected, withinPercentage(0.1));
        }
    }

    @Test
    void lastReviewKeepsTheAdvice() {
        Advice advice = adviser.advise(input(NONE, NONE));

        assertThat(adviser.reconsider(advice, progress(1, 200, MB, MB))).isSameAs(advice);
        assertThatThrownBy(() -> adviser.reconsider(advice, progress(1.1, 200, MB, MB)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A stalled source has the rate 0; no prediction becomes infinite or NaN. */
    @Test
    void stalledStagesKeepPredictionsFinite() {
        Advice advice = adviser.advise(input(NONE, NONE));

        Advice next = adviser.reconsider(advice, progress(0.1, 20, 0, 0));

        assertThat(next.predictions()).allSatisfy(prediction -> {
            assertThat(prediction.seconds()).isFinite();
            assertThat(prediction.cost()).isFinite();
        });
    }

    @Test
    void jobWithoutDataNodesStreams() {
        NodeCounts none = new NodeCounts(1, 1, 0, false, PlanSamples.MEMORY, PlanSamples.MEMORY);
        Advice advice = adviser.advise(PlanInput.of(extent(1000 * MB), measured(source(MB, 0, NONE), MB, none)));

        assertThat(advice.choice()).isEqualTo(Strategy.STREAM);
        assertThat(advice.predictions()).hasSize(1);
        assertThat(advice.reasons(ReasonCode.NO_DATA_NODES)).hasSize(1);
    }

    @Test
    void refusesCopiesWithoutDataNodes() {
        NodeCounts none = new NodeCounts(1, 1, 0, false, PlanSamples.MEMORY, PlanSamples.MEMORY);
        Measurements measured = measured(source(MB, 0, NONE), MB, none);

        assertThatThrownBy(() -> PlanInput.of(new DataSetExtent(10, 1, 5), measured))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("data nodes");
        assertThat(singleWorker(1).with(Addition.DATA_NODE).dataNodes()).isEqualTo(1);
    }
}
