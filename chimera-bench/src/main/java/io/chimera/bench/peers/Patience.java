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
 * Bounds what an engine is waited for: of one that takes longer it is written down what its threads do, and the processes are
 * ended, which ends the wait. The error names the engine. One thread, and one of its own that watches it.
 */
final class Patience implements AutoCloseable {
    private static final long AGAIN_MS = 1_000;
    private static final long DUMP_SECONDS = 20;

    private final String name;
    private final Engine engine;
    private final Path folder;
    private final ScheduledExecutorService watch;

    /** What is waited for. */
    interface Step<T> {
        /** Does it. */
        T run() throws IOException, InterruptedException;
    }

    /**
     * Patience with an engine.
     *
     * @param name of the engine
     * @param folder takes files {@code threads-<pid>.txt}
     */
    Patience(String name, Engine engine, Path folder) {
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
     * Does a step.
     *
     * @param what the engine is to do, for the error: {@code start}
     * @throws IOException when it fails, or takes longer
     */
    <T> T within(Duration limit, String what, Step<T> step) throws IOException, InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Runnable end = () -> {
            if (!over.getAndSet(true)) {
                engine.pids().forEach(this::writeThreads);
            }
            endProcesses();
        };
        // again and again, for one that is started meanwhile
        ScheduledFuture<?> ends = watch.scheduleWithFixedDelay(end, limit.toMillis(), AGAIN_MS, TimeUnit.MILLISECONDS);
        try {
            return step.run();
        } catch (IOException | RuntimeException e) {
            if (!over.get()) {
                throw e;
            }
            throw new IOException(
                    name + " did not " + what + " within " + limit.toSeconds() + " s, so its processes were ended: "
                            + e.getMessage(),
                    e);
        } finally {
            ends.cancel(false);
        }
    }

    /** A process that is no JVM, or answers nobody any more, leaves the reason in its file. */
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
            System.err.println(name + ": what its threads do could not be written down: " + e.getMessage());
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
