package io.chimera.bench.stages;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Measures the processor time of the whole JVM per point, with all threads. The kernel's own threads, such as the
 * writers of the page cache, do not count. Other load on the machine changes the rate of a benchmark, and hardly
 * changes the processor time.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    /** Label of the result, in ns per point. */
    static final String CPU_TIME = "cpu.time.norm";

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long startNs;

    /** Called by JMH. */
    public CpuTimeProfiler() {}

    @Override
    public String getDescription() {
        return "Processor time per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmarkParams, IterationParams iterationParams) {
        startNs = system.getProcessCpuTime();
    }

    @Override
    public List<Result<?>> afterIteration(
            BenchmarkParams benchmarkParams, IterationParams iterationParams, IterationResult result) {
        long tookNs = system.getProcessCpuTime() - startNs;
        // after the measured time a thread of a group may make many empty calls while the other threads finish
        long operations = Math.max(1, result.getMetadata().getMeasuredOps());
        return List.of(new ScalarResult(CPU_TIME, (double) tookNs / operations, "ns/op", AggregationPolicy.AVG));
    }
}
