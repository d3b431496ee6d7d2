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
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class PerformanceModelTest {
    private static final double MB = 1e6;
    private static final OptionalDouble NONE = OptionalDouble.empty();

    private static Prediction predict(Strategy strategy, DataSetExtent extent, Measurements measured) {
        return new PerformanceModel(PlanInput.of(extent, measured), Corrections.NONE).predict(strategy);
    }

    /** 1 GB at 10 MB/s = 100 s; a core computes 20 MB/s: 50 s. s = 1 - 4/10 = 0.6: 100 s + 0.6 * 50 s = 130 s. */
    @Test
    void computationStarvesReceptionOnTheSameCore() {
        Measurements measured = measured(source(10 * MB, 0, rate(4 * MB)), 20 * MB, singleWorker(1));

        Prediction stream = predict(Strategy.STREAM, extent(1000 * MB), measured);

        assertThat(stream.starvedShare()).isEqualTo(0.6, within(1e-9));
        assertThat(stream.stage(JobStage.RECEIVING_CPU)).isEqualTo(130, within(1e-9));
        assertThat(stream.seconds()).isCloseTo(130, withinPercentage(1));
        assertThat(stream.bottleneck()).isEqualTo(JobStage.SOURCE);
    }

    /** Busy rate 4 MB/s: 1 GB never needs more than 250 s to arrive; 100 + 0.6 * 1000 would be 700 s. */
    @Test
    void receptionIsNeverSlowerThanAtTheBusyRate() {
        Measurements measured = measured(source(10 * MB, 0, rate(4 * MB)), MB, singleWorker(1));

        Prediction stream = predict(Strategy.STREAM, extent(1000 * MB), measured);

        assertThat(stream.stage(JobStage.RECEIVING_CPU)).isEqualTo(250, within(1e-9));
        assertThat(stream.bottleneck()).isEqualTo(JobStage.COMPUTING_CPU);
    }

    /** 4 cores of 20 MB/s, source 60 MB/s, busy 0: shared 16.7 + 12.5 = 29.2 s; own core: max(16.7, 16.7). */
    @Test
    void receptionGetsACoreWhereThatPays() {
        Measurements measured = measured(source(60 * MB, 0, rate(0)), 20 * MB, singleWorker(4));

        Prediction stream = predict(Strategy.STREAM, extent(1000 * MB), measured);

        assertThat(stream.receivingCores()).isEqualTo(1);
        assertThat(stream.seconds()).isCloseTo(16.7, withinPercentage(2));
    }

    /** Receiving 100 MB/s of a core, computing 100 MB/s: 1 GB needs 10 + 10 s of the only core; the source only 5 s. */
    @Test
    void receptionAndComputationShareProcessorTime() {
        Measurements base = measured(source(200 * MB, 0, NONE), 100 * MB, singleWorker(1));
        Measurements measured = new Measurements(
                base.sources(), base.computation(), base.storage(), base.nodes(), NONE, rate(100 * MB));

        Prediction stream = predict(Strategy.STREAM, extent(1000 * MB), measured);

        assertThat(stream.stage(JobStage.RECEIVING_CPU)).isEqualTo(20, within(1e-9));
        assertThat(stream.seconds()).isCloseTo(20, withinPercentage(1));
    }

    private static double lost(Strategy strategy, Measurements measured, JobStart start) {
        Measurements cold = new Measurements(
                measured.sources(),
                measured.computation(),
                measured.storage(),
                measured.nodes(),
                measured.networkBytesPerSecond(),
                measured.receivingBytesPerCoreSecond(),
                start);
        return predict(strategy, extent(1000 * MB), cold).seconds()
                - predict(strategy, extent(1000 * MB), measured).seconds();
    }

    /** Plan 3 s, connections 2 s, computation 4 s: a slow source hides the warm-up, unless the bytes are copied first. */
    @Test
    void aJobLosesTheTimesOfItsStartOnce() {
        JobStart start = new JobStart(3, 2, 4);
        Measurements slowSource = measured(source(10 * MB, 0, NONE), 100 * MB, singleWorker(1));
        Measurements slowCore = measured(source(100 * MB, 0, NONE), 10 * MB, singleWorker(1));

        assertThat(lost(Strategy.STREAM, slowSource, start)).isEqualTo(5, within(1e-6));
        assertThat(lost(Strategy.COPY, slowSource, start)).isEqualTo(9, within(1e-6));
        assertThat(lost(Strategy.STREAM, slowCore, start)).isEqualTo(9, within(1e-6));
        assertThat(PlanInput.of(extent(1000 * MB), slowCore.planned(3))
                        .rest(extent(10 * MB), JobLimits.NONE)
                        .measurements()
                        .start())
                .as("a running job")
                .isEqualTo(JobStart.NONE);
    }

    /** 4 cores, computation 10 MB/s of a core, splits of 100 MB: tail (1 - 1/4) / 2 * 10 s = 3.75 s. */
    @Test
    void tailGrowsWithTheSplit() {
        Measurements measured = measured(source(1000 * MB, 0, NONE), 10 * MB, singleWorker(4));

        Prediction longSplits =
                predict(Strategy.STREAM, new DataSetExtent((long) (4000 * MB), (long) (100 * MB), 0), measured);
        Prediction shortSplits =
                predict(Strategy.STREAM, new DataSetExtent((long) (4000 * MB), (long) (10 * MB), 0), measured);

        assertThat(longSplits.tailSeconds()).isEqualTo(3.75, within(1e-9));
        assertThat(shortSplits.tailSeconds()).isEqualTo(0.375, within(1e-9));
    }

    /** A compressed object without frames is a single split, and occupies a single core. */
    @Test
    void singleSplitUsesASingleCore() {
        Measurements measured = measured(source(1000 * MB, 0, NONE), 10 * MB, singleWorker(4));

        Prediction stream =
                predict(Strategy.STREAM, new DataSetExtent((long) (1000 * MB), (long) (1000 * MB), 0), measured);

        assertThat(stream.stage(JobStage.COMPUTING_CPU)).isEqualTo(100, within(1e-9));
        assertThat(stream.tailSeconds()).isZero();
    }

    /** 1 GB at 10 MB/s, computation 30 MB/s: a second source saves 50 s; with four sources a core saves 8 s. */
    @Test
    void oneMoreOfTheBottleneckGivesItsShare() {
        SourceSample slow = source(10 * MB, 0, NONE);
        Measurements one = measured(slow, 30 * MB, singleWorker(1));

        Prediction stream = predict(Strategy.STREAM, extent(1000 * MB), one);

        assertThat(stream.seconds()).isCloseTo(100, withinPercentage(1));
        assertThat(stream.saved(Addition.SOURCE)).isCloseTo(50, withinPercentage(2));
        assertThat(stream.saved(Addition.CORE)).isEqualTo(0, within(0.2));
        assertThat(stream.saved(Addition.DATA_NODE)).isZero();

        Measurements four = new Measurements(
                List.of(slow, slow, slow, slow), one.computation(), one.storage(), one.nodes(), NONE, NONE);
        Prediction fast = predict(Strategy.STREAM, extent(1000 * MB), four);

        assertThat(fast.bottleneck()).isEqualTo(JobStage.COMPUTING_CPU);
        assertThat(fast.saved(Addition.SOURCE)).isEqualTo(0, within(0.1));
        assertThat(fast.saved(Addition.CORE)).isCloseTo(33.3 - 25, withinPercentage(5));
    }

    /** The sample fills the link of 12 MB/s, and the source has no known limit: a second worker halves the time. */
    @Test
    void linkOfAWorkerIsABottleneck() {
        Measurements base = measured(source(12 * MB, 0, NONE), 1000 * MB, singleWorker(1));
        Measurements measured =
                new Measurements(base.sources(), base.computation(), base.storage(), base.nodes(), rate(12 * MB), NONE);

        Prediction stream = predict(Strategy.STREAM, extent(1200 * MB), measured);

        assertThat(stream.stage(JobStage.NETWORK)).isEqualTo(100, within(1e-9));
        assertThat(stream.saved(Addition.WORKER)).isCloseTo(50, withinPercentage(2));
    }

    /** Slow storage is the bottleneck of overlap, not of stream. */
    @Test
    void storageIsABottleneckOfOverlap() {
        Measurements base = measured(source(100 * MB, 0, NONE), 1000 * MB, singleWorker(1));
        Measurements measured = new Measurements(
                base.sources(), base.computation(), StorageSample.of(20 * MB, 100 * MB), base.nodes(), NONE, NONE);

        Prediction overlap = predict(Strategy.OVERLAP, extent(1000 * MB), measured);

        assertThat(overlap.bottleneck()).isEqualTo(JobStage.STORAGE);
        assertThat(overlap.seconds()).isCloseTo(50, withinPercentage(1));
        assertThat(overlap.bottleneckSeconds()).isCloseTo(40, withinPercentage(2));
    }

    /** A kept copy saves the transfer, and is read at 500 MB/s. */
    @Test
    void keptCopyIsNotReadFromTheSource() {
        Measurements measured = measured(source(10 * MB, 84, NONE), 100 * MB, singleWorker(1));
        DataSetExtent kept = new DataSetExtent((long) (1000 * MB), (long) (5 * MB), (long) (1000 * MB));

        Prediction copy = predict(Strategy.COPY, kept, measured);

        assertThat(copy.stage(JobStage.SOURCE)).isZero();
        assertThat(copy.seconds()).isCloseTo(10, withinPercentage(1));
        assertThat(copy.outBytes()).isZero();
    }

    /**
     * 36 failures per worker and hour over 100 s: 1 failure. It loses 100 MB: stream repeats 100 MB at 10 MB/s = 10 s;
     * a copy is read at 500 MB/s and computed at 50 MB/s: 2 s. The job itself takes 100 s, and 120 s with a copy.
     */
    @Test
    void failuresRepeatTheFarTripOnlyWithoutACopy() {
        Measurements measured = measured(source(10 * MB, 0, NONE), 50 * MB, singleWorker(1));
        PlanInput input = new PlanInput(
                extent(1000 * MB),
                measured,
                new Prices(0, 0, 0.1, "USD"),
                JobLimits.NONE,
                new FailureRisk(36, (long) (100 * MB)),
                Duration.ZERO);
        PerformanceModel model = new PerformanceModel(input, Corrections.NONE);

        Prediction stream = model.predict(Strategy.STREAM);
        Prediction copy = model.predict(Strategy.COPY);

        assertThat(stream.riskSeconds()).isCloseTo(10, withinPercentage(1));
        assertThat(stream.outBytes()).isCloseTo(1100 * MB, withinPercentage(1));
        assertThat(stream.cost()).isCloseTo(0.11, withinPercentage(1));
        assertThat(copy.riskSeconds()).isCloseTo(2.4, withinPercentage(1));
        assertThat(copy.cost()).isCloseTo(0.1, withinPercentage(1));
    }

    /** Copy: 100 s + 50 s on a worker and a data node of 3.6 dollars per hour; 1 GB stored for 150 s and 1 hour. */
    @Test
    void costIsEquationOneWithKeptCopies() {
        NodeCounts apart = new NodeCounts(1, 1, 1, true, PlanSamples.MEMORY, PlanSamples.MEMORY);
        Measurements measured = measured(source(10 * MB, 0, NONE), 20 * MB, apart);
        PlanInput input = new PlanInput(
                extent(1000 * MB),
                measured,
                new Prices(3.6, 720, 0, "USD"),
                JobLimits.NONE,
                FailureRisk.NONE,
                Duration.ofHours(1));
        PerformanceModel model = new PerformanceModel(input, Corrections.NONE);

        double copy = model.predict(Strategy.COPY).cost();

        assertThat(copy).isCloseTo(150 * 2 * 0.001 + 150 / 3600.0 + 1, withinPercentage(1));
        assertThat(model.predict(Strategy.STREAM).cost()).isCloseTo(0.1, withinPercentage(1));
    }

    @Test
    void copyNeedsADataNode() {
        NodeCounts none = new NodeCounts(1, 1, 0, false, PlanSamples.MEMORY, PlanSamples.MEMORY);
        PlanInput input = PlanInput.of(extent(1000 * MB), measured(source(MB, 0, NONE), MB, none));
        PerformanceModel model = new PerformanceModel(input, Corrections.NONE);

        assertThat(model.isPossible(Strategy.COPY)).isFalse();
        assertThat(model.predict(Strategy.STREAM).saved(Addition.DATA_NODE)).isZero();
        assertThatThrownBy(() -> model.predict(Strategy.COPY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("data node");
    }

    /**
     * Figure 6 of the paper: 64 workers on a source of 100 MB/s get half of the 3.1 MB/s that 32 workers get; a second
     * source restores the rate.
     */
    @Test
    void sourceSaturatesWithManyWorkers() {
        SourceSample local = new SourceSample(
                "http://local", Duration.ZERO, List.of(new ConnectionRate(1, 3.1 * MB)), NONE, rate(100 * MB));
        double few = ratePerWorker(32, local);

        assertThat(few).isCloseTo(3.1 * MB, withinPercentage(2));
        assertThat(ratePerWorker(64, local)).isCloseTo(100 * MB / 64, withinPercentage(2));
        assertThat(ratePerWorker(64, local, local)).isCloseTo(few, withinPercentage(2));
    }

    private static double ratePerWorker(int workers, SourceSample... sources) {
        NodeCounts nodes = new NodeCounts(workers, 1, 0, false, PlanSamples.MEMORY, PlanSamples.MEMORY);
        Measurements measured = new Measurements(
                List.of(sources), new ComputationSample(1e6, 100), StorageSample.UNKNOWN, nodes, rate(3.1 * MB), NONE);
        double bytes = workers * 1000 * MB;
        return bytes / predict(Strategy.STREAM, extent(bytes), measured).seconds() / workers;
    }
}
