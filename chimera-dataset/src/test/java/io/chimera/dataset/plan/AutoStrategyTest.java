package io.chimera.dataset.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs of 200 splits in virtual time, on a worker with two cores and the storage of copies. */
final class AutoStrategyTest {
    private static final double TRANSFER_SECONDS = 100;
    private static final int SPLITS = 200;
    private static final int CORES = 2;
    private static final OptionalDouble NONE = OptionalDouble.empty();

    /** A job in virtual time: its sources, cores and storage, and what it has done so far. */
    private static final class VirtualRun {
        private final double source;
        private final double perCore;
        private final double write;
        private final double splitBytes;
        private RunTotals totals = RunTotals.NONE;
        private final List<Strategy> strategies = new ArrayList<>();

        VirtualRun(double source, double perCore, double write, double splitBytes) {
            this.source = source;
            this.perCore = perCore;
            this.write = write;
            this.splitBytes = splitBytes;
        }

        /** Runs to the end; returns the time. Only stream and overlap are expected. */
        double run(AutoStrategy auto) {
            for (int split = 0; split < SPLITS; split++) {
                Strategy strategy = auto.next(totals);
                if (strategies.isEmpty() || strategies.get(strategies.size() - 1) != strategy) {
                    strategies.add(strategy);
                }
                step(strategy == Strategy.OVERLAP);
            }
            return totals.elapsedSeconds();
        }

        private void step(boolean isWriting) {
            double rate = Math.min(Math.min(source, isWriting ? write : source), CORES * perCore);
            double seconds = splitBytes / rate;
            double computing = splitBytes / perCore;
            totals = new RunTotals(
                    totals.elapsedSeconds() + seconds,
                    0,
                    totals.splits() + 1,
                    totals.computedBytes() + (long) splitBytes,
                    totals.events() + (long) splitBytes / 100,
                    totals.computingSeconds() + computing,
                    totals.waitingSeconds() + CORES * seconds - computing,
                    totals.receivedBytes() + (long) splitBytes,
                    totals.receivingSeconds() + seconds,
                    0,
                    totals.writtenBytes() + (isWriting ? (long) splitBytes : 0),
                    totals.writingSeconds() + (isWriting ? splitBytes / write : 0));
        }
    }

    private static AutoStrategy.Basis basis(double bytes, StorageSample storage) {
        return new AutoStrategy.Basis(
                "http://source",
                new DataSetExtent((long) bytes, (long) (bytes / SPLITS), 0),
                PlanSamples.singleWorker(CORES),
                storage,
                Prices.NONE,
                JobLimits.NONE,
                Duration.ZERO);
    }

    private static AutoStrategy auto(AutoStrategy.Basis basis, Optional<Advice> first) {
        return new AutoStrategy(basis, first, new Adviser());
    }

    /** Transfer 100 s; computation 20, 100 and 500 s: no slower than the better of stream and copy. */
    @ParameterizedTest
    @CsvSource({"10, 0.2", "10, 1", "10, 5", "100, 0.2", "100, 1", "100, 5", "1000, 0.2", "1000, 1", "1000, 5"})
    void autoIsNoSlowerThanTheBetterOfStreamAndCopy(double mbits, double computing) {
        double source = mbits * 1e6 / 8;
        double bytes = source * TRANSFER_SECONDS;
        double perCore = source / computing / CORES;
        VirtualRun run = new VirtualRun(source, perCore, 500e6, bytes / SPLITS);
        AutoStrategy auto = auto(basis(bytes, StorageSample.of(500e6, 500e6)), Optional.empty());

        double seconds = run.run(auto);

        double stream = TRANSFER_SECONDS * Math.max(1, computing);
        double copy = TRANSFER_SECONDS + TRANSFER_SECONDS * computing;
        assertThat(seconds).isLessThanOrEqualTo(1.01 * Math.min(stream, copy));
        assertThat(run.strategies).containsExactly(Strategy.STREAM);
    }

    /** The advice of the run has the measured rates: 10 MB/s, 20 MB/s per core, 100 bytes per event. */
    @Test
    void adviceIsMadeOfMeasuredRates() {
        VirtualRun run = new VirtualRun(10e6, 20e6, 500e6, 5e6);
        AutoStrategy auto = auto(basis(1e9, StorageSample.UNKNOWN), Optional.empty());
        assertThat(auto.next(RunTotals.NONE)).isEqualTo(Strategy.STREAM);
        assertThat(auto.advice()).isEmpty();

        run.run(auto);

        Advice advice = auto.advice().orElseThrow();
        Measurements measured = advice.input().measurements();
        assertThat(measured.sources().get(0).best()).isEqualTo(10e6, within(1.0));
        assertThat(measured.computation().bytesPerCoreSecond()).isEqualTo(20e6, within(1.0));
        assertThat(measured.computation().bytesPerEvent()).isEqualTo(100, within(0.1));
        assertThat(advice.chosen().bottleneck()).isEqualTo(JobStage.SOURCE);
        assertThat(advice.changes()).isZero();
    }

    /** Samples promised 500 MB/s of writing; the storage writes 2 MB/s, a fifth of the source. */
    @Test
    void aSlowStorageChangesFromOverlapToStream() {
        AutoStrategy.Basis basis = basis(1e9, StorageSample.of(500e6, 500e6));
        Measurements sampled =
                PlanSamples.measured(PlanSamples.source(10e6, 0, NONE), 20e6, PlanSamples.singleWorker(CORES));
        Advice planned = new Adviser().advise(PlanInput.of(basis.extent(), sampled));
        Advice overlap = new Advice(
                planned.input(), Corrections.NONE, planned.predictions(), Strategy.OVERLAP, planned.reasons(), 0, 0);
        VirtualRun run = new VirtualRun(10e6, 20e6, 2e6, 5e6);

        double seconds = run.run(auto(basis, Optional.of(overlap)));

        assertThat(run.strategies).containsExactly(Strategy.OVERLAP, Strategy.STREAM);
        assertThat(seconds).isLessThan(130); // 100 s of stream, and 2 s for each split until the change
    }

    /** While the computation is the limit, the few bytes that it asks for do not count as a slow source. */
    @Test
    void aSlowComputationDoesNotCountAsASlowSource() {
        AutoStrategy auto = auto(basis(1e9, StorageSample.of(500e6, 500e6)), Optional.empty());
        VirtualRun run = new VirtualRun(100e6, 1e6, 500e6, 5e6);

        run.run(auto);

        Advice advice = auto.advice().orElseThrow();
        assertThat(advice.corrections().reception()).isEqualTo(1, within(1e-9));
        assertThat(advice.chosen().bottleneck()).isNotEqualTo(JobStage.STORAGE);
        assertThat(advice.choice()).isEqualTo(Strategy.STREAM);
    }
}
