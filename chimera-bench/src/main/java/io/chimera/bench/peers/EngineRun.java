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

/** Runs an engine through all its passes and says what they took, if its results are what they have to be. */
public final class EngineRun {
    /** A start may fetch and build the engine, and begins with the machine's caches empty. */
    private static final Duration START_LIMIT = Duration.ofMinutes(15);

    private final Effort effort;
    private final Duration passLimit;
    private final Expected expected;
    private final Consumer<String> log;

    private record Pass(double cpuSeconds, double feederCpuSeconds, double wallSeconds) {}

    /**
     * Runs of one effort.
     *
     * @param passLimit what a pass may take, and the end behind the last; an engine that takes longer has failed
     * @param expected what every engine has to come to
     * @param log hears what goes on
     */
    public EngineRun(Effort effort, Duration passLimit, Expected expected, Consumer<String> log) {
        this.effort = effort;
        this.passLimit = passLimit;
        this.expected = expected;
        this.log = log;
    }

    /**
     * Measures.
     *
     * @param folder takes what the threads of an engine do that takes too long
     * @throws IOException when the engine fails, takes too long, or comes to other results
     */
    public Measurement measure(String name, Engine engine, Path folder) throws IOException, InterruptedException {
        try (engine;
                MemoryWatch memory = new MemoryWatch(engine::pids);
                Patience patience = new Patience(name, engine, folder)) {
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
                throw new IOException(name + " comes to other results, so its figures say nothing: "
                        + String.join("; ", differences));
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

    private Measurement median(String name, List<Pass> passes, long bytesMax) {
        passes.sort(Comparator.comparingDouble(Pass::cpuSeconds));
        Pass middle = passes.get(passes.size() / 2);
        // what ended within a tick of the clock took at least one
        double cpu = Math.max(0.01, middle.cpuSeconds);
        return new Measurement(name, effort.points(), cpu, middle.feederCpuSeconds, middle.wallSeconds, bytesMax);
    }
}
