package io.chimera.bench.peers;

import io.chimera.bench.peers.engine.Engine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Enforces time limits of an engine: dumps the threads of an engine that exceeds a limit and kills its processes, which
 * ends the wait. The error names the engine. Used by one thread, with a watcher thread.
 */
final class EngineTimeLimit implements AutoCloseable {
    private static final long AGAIN_MS = 1_000;
    private static final long DUMP_SECONDS = 20;

    private final String name;
    private final Engine engine;
    private final Path folder;
    private final ScheduledExecutorService watch;

    /** A step with a time limit. */
    interface Step<T> {
        /** Runs the step. */
        T run() throws IOException, InterruptedException;
    }

    /**
     * Creates time limits for an engine.
     *
     * @param name name of the engine
     * @param folder folder for files {@code threads-<pid>.txt}
     */
    EngineTimeLimit(String name, Engine engine, Path folder) {
        this.name = name;
        this.engine = engine;
        this.folder = folder;
        watch = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "patience");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Runs a step.
     *
     * @param what infinitive of the step for the error: {@code start}
     * @throws IOException when the step fails or exceeds the limit
     */
    <T> T within(Duration limit, String what, Step<T> step) throws IOException, InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Runnable end = () -> {
            if (!over.getAndSet(true)) {
                engine.pids().forEach(this::writeThreads);
            }
            endProcesses();
        };
        // repeated, for processes started in the meantime
        ScheduledFuture<?> ends = watch.scheduleWithFixedDelay(end, limit.toMillis(), AGAIN_MS, TimeUnit.MILLISECONDS);
        try {
            return step.run();
        } catch (IOException | RuntimeException e) {
            if (!over.get()) {
                throw e;
            }
            throw new IOException(
                    name + " did not " + what + " within " + limit.toSeconds() + " s, so its processes were killed: "
                            + e.getMessage(),
                    e);
        } finally {
            ends.cancel(false);
        }
    }

    /** Writes a thread dump. For a process without a JVM or without an answer, the file has the reason. */
    private void writeThreads(long pid) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        File file = folder.resolve("threads-" + pid + ".txt").toFile();
        try {
            Process writer = new ProcessBuilder(jcmd, Long.toString(pid), "Thread.print", "-l")
                    .redirectErrorStream(true)
                    .redirectOutput(file)
                    .start();
            if (!writer.waitFor(DUMP_SECONDS, TimeUnit.SECONDS)) {
                writer.destroyForcibly();
            }
        } catch (IOException e) {
            System.err.println(name + ": the thread dump could not be written: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endProcesses() {
        List<Long> pids = new ArrayList<>(engine.pids());
        pids.addAll(engine.feederPids());
        pids.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    @Override
    public void close() {
        watch.shutdownNow();
    }
}
