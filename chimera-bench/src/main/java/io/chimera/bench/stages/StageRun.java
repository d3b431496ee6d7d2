package io.chimera.bench.stages;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of stages, each in separate JVMs; the output of JMH goes to standard error. */
public final class StageRun {
    private static final String PACKAGE = "io.chimera.bench.jmh.";
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final double MEDIAN = 50;

    private final StagesEffort effort;
    private final boolean silent;

    /**
     * Creates a run.
     *
     * @param silent whether to discard the output of JMH
     */
    public StageRun(StagesEffort effort, boolean silent) {
        this.effort = effort;
        this.silent = silent;
    }

    /**
     * Measures stages.
     *
     * @return one measurement per stage, in the same order
     * @throws RunnerException when a benchmark fails or has no result
     */
    public List<StageMeasurement> measure(List<BenchStage> stages) throws RunnerException {
        PrintStream output = silent ? new PrintStream(OutputStream.nullOutputStream()) : System.err;
        OutputFormat format = OutputFormatFactory.createFormatInstance(output, VerboseMode.NORMAL);
        List<StageMeasurement> measurements = new ArrayList<>();
        for (BenchStage stage : stages) {
            measurements.add(measurementOf(stage, new Runner(options(stage), format).runSingle()));
        }
        return measurements;
    }

    private Options options(BenchStage stage) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(PACKAGE + stage.benchmark()) + "$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuTimeProfiler.class)
                .shouldFailOnError(true)
                .forks(effort.forks())
                .warmupIterations(effort.warmups())
                .warmupTime(TimeValue.milliseconds(effort.warmupMs()))
                .measurementIterations(effort.iterations())
                .measurementTime(TimeValue.milliseconds(effort.iterationMs()));
        if (stage.threads() > 1) {
            options = options.threads(stage.threads());
        }
        for (Map.Entry<String, String> parameter : stage.parameters().entrySet()) {
            options = options.param(parameter.getKey(), parameter.getValue());
            if (parameter.getKey().equals(BenchStage.BULK)) {
                options = options.operationsPerInvocation(Integer.parseInt(parameter.getValue()));
            }
        }
        return options.build();
    }

    private static StageMeasurement measurementOf(BenchStage stage, RunResult result) throws RunnerException {
        Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
        Result<?> cpuTime = result.getSecondaryResults().get(CpuTimeProfiler.CPU_TIME);
        double nsPerPoint = result.getPrimaryResult().getScore();
        if (allocated == null || cpuTime == null || !(nsPerPoint > 0)) {
            throw new RunnerException("Stage " + stage.name() + " was not measured: " + nsPerPoint + " ns per point.");
        }
        // allocations of a stage occur in every iteration; allocations of the JVM and JMH occur only in some
        return new StageMeasurement(
                stage.name(),
                nsPerPoint / stage.threads(),
                allocated.getStatistics().getPercentile(MEDIAN),
                // in a group each thread counts the points, which all its threads have handled
                cpuTime.getStatistics().getPercentile(MEDIAN)
                        * result.getParams().getThreads()
                        / stage.threads());
    }
}
