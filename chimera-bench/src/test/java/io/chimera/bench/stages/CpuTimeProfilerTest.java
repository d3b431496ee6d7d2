package io.chimera.bench.stages;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.Result;

final class CpuTimeProfilerTest {
    private static final long OPERATIONS = 10;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    @Test
    void dividesTheProcessorTimeOfAnIterationByItsOperations() {
        CpuTimeProfiler profiler = new CpuTimeProfiler();
        long beforeNs = system.getProcessCpuTime();
        profiler.beforeIteration(null, null);
        long startNs = system.getProcessCpuTime();
        long usedNs = 0;
        while (usedNs == 0) {
            usedNs = system.getProcessCpuTime() - startNs;
        }

        Result<?> result = profiler.afterIteration(
                        null,
                        null,
                        new IterationResult(null, null, new IterationResultMetaData(OPERATIONS, OPERATIONS)))
                .get(0);

        assertThat(result.getScore() * OPERATIONS)
                .isBetween((double) usedNs, (double) (system.getProcessCpuTime() - beforeNs));
    }
}
