package io.chimera.bench.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;

/** Runs JMH for the shortest possible time. */
final class StageRunTest {

    private static final StagesEffort SHORTEST = new StagesEffort(1, 1, 10, 1, 10);

    /** Property that disables JMH's machine-wide lock: the tests measure nothing and may run in parallel. */
    private static final String IGNORE_LOCK = "jmh.ignoreLock";

    @BeforeEach
    void ignoreLock() {
        System.setProperty(IGNORE_LOCK, "true");
    }

    @AfterEach
    void heedLock() {
        System.clearProperty(IGNORE_LOCK);
    }

    @Test
    void measuresTimeAndAllocationOfEachStageInOrder() throws RunnerException {
        BenchStage copy = StageCatalog.named("memory_copy_records").orElseThrow();
        BenchStage extract = StageCatalog.named("extract").orElseThrow();

        List<StageMeasurement> measurements = new StageRun(SHORTEST, true).measure(List.of(copy, extract));

        assertThat(measurements).extracting(StageMeasurement::stage).containsExactly("memory_copy_records", "extract");
        assertThat(measurements).allSatisfy(seen -> {
            assertThat(seen.nsPerPoint()).isBetween(0.1, 1e6);
            assertThat(seen.allocatedBytes()).isNotNegative();
            // positive is proved by CpuTimeProfilerTest: an iteration of a starved JVM may end within one tick
            assertThat(seen.cpuNs()).isNotNegative();
        });
    }

    @Test
    void timeOfABulkIsDividedByItsPoints() throws RunnerException {
        BenchStage ring = StageCatalog.named("ring").orElseThrow().inBulks("ring_bulk_1000000", 1_000_000);

        List<StageMeasurement> measurements = new StageRun(SHORTEST, true).measure(List.of(ring));

        assertThat(measurements).hasSize(1).allSatisfy(seen -> assertThat(seen.nsPerPoint())
                .isLessThan(1e6));
    }

    @Test
    void stageWithoutBenchmarkFailsTheRun() {
        BenchStage missing = BenchStage.of("missing", "NoSuchBenchmark.run", null);

        assertThatThrownBy(() -> new StageRun(SHORTEST, true).measure(List.of(missing)))
                .isInstanceOf(RunnerException.class);
    }
}
