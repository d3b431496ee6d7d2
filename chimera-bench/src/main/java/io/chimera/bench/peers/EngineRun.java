package io.chimera.bench.peers;

import io.chimera.bench.cluster.ProcessUsage;
import io.chimera.bench.peers.engine.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs all passes of an engine and reports their cost, provided that the results are correct. */
public final class EngineRun {
    /** Time limit of a start, which may fetch and build the engine and begins with cold caches. */
    private static final Duration START_LIMIT = Duration.ofMinutes(15);

    private final PeersEffort effort;
    private final Duration passLimit;
    private final Expected expected;
    private final Consumer<String> log;

    private record Pass(double cpuSeconds, double feederCpuSeconds, double wallSeconds) {}

    /**
     * Creates runs of one effort.
     *
     * @param passLimit time limit of each pass, and of the end after the last pass; a slower engine fails
     * @param expected required results of every engine
     * @param log receives the progress
     */
    public EngineRun(PeersEffort effort, Duration passLimit, Expected expected, Consumer<String> log) {
        this.effort = effort;
        this.passLimit = passLimit;
        this.expected = expected;
        this.log = log;
    }

    /**
     * Measures an engine.
     *
     * @param folder folder for thread dumps of an engine that exceeds its limit
     * @throws IOException when the engine fails, exceeds its limit, or has wrong results
     */
    public EngineMeasurement measure(String name, Engine engine, Path folder) throws IOException, InterruptedException {
        try (engine;
                MemorySampler memory = new MemorySampler(engine::pids);
                EngineTimeLimit patience = new EngineTimeLimit(name, engine, folder)) {
            log.accept(name + ": starting");
            patience.within(START_LIMIT, "start", () -> {
                engine.start();
                return null;
            });
            List<Pass> passes = new ArrayList<>();
            for (int i = 0; i < effort.all(); i++) {
                Pass pass = patience.within(passLimit, "end pass " + (i + 1), () -> pass(engine));
                log.accept(String.format(
                        "%s: pass %d%s: %.2f s, %.2f CPU-s, client %.2f CPU-s",
                        name,
                        i + 1,
                        i < effort.warmups() ? " (warm-up)" : "",
                        pass.wallSeconds,
                        pass.cpuSeconds,
                        pass.feederCpuSeconds));
                if (i >= effort.warmups()) {
                    passes.add(pass);
                }
            }
            List<String> differences = expected.differences(patience.within(passLimit, "end", engine::finish));
            if (!differences.isEmpty()) {
                throw new IOException(
                        name + " has wrong results, so its figures are invalid: " + String.join("; ", differences));
            }
            log.accept(name + ": results are equal");
            return median(name, passes, memory.bytesMax());
        }
    }

    private static Pass pass(Engine engine) throws IOException, InterruptedException {
        double cpu = ProcessUsage.cpuSeconds(engine.pids());
        double feeder = ProcessUsage.cpuSeconds(engine.feederPids());
        long start = System.nanoTime();
        engine.pass();
        double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
        return new Pass(
                ProcessUsage.cpuSeconds(engine.pids()) - cpu,
                ProcessUsage.cpuSeconds(engine.feederPids()) - feeder,
                seconds);
    }

    private EngineMeasurement median(String name, List<Pass> passes, long bytesMax) {
        passes.sort(Comparator.comparingDouble(Pass::cpuSeconds));
        Pass middle = passes.get(passes.size() / 2);
        // a pass shorter than one clock tick used at least one tick
        double cpu = Math.max(0.01, middle.cpuSeconds);
        return new EngineMeasurement(name, effort.points(), cpu, middle.feederCpuSeconds, middle.wallSeconds, bytesMax);
    }
}
