package io.chimera.bench.datasets.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Process with a time limit. Ends with this process, however this process ends, if setpriv is installed. A kill ends
 * the children of the process too. One thread.
 */
public final class DeadlineProcess implements AutoCloseable {
    /** Time limit of a run of a job or tool. */
    public static final Duration LIMIT = Duration.ofMinutes(5);

    private static final double NS_PER_S = 1e9;
    private static final long KILL_S = 10;

    private final List<String> command;
    private final Path log;
    private final Process process;
    private final long startNs;

    private DeadlineProcess(List<String> command, Path log, Process process, long startNs) {
        this.command = command;
        this.log = log;
        this.process = process;
        this.startNs = startNs;
    }

    /**
     * Starts a process.
     *
     * @param folder working directory
     * @param log receives all output
     */
    public static DeadlineProcess start(List<String> command, Path folder, Path log) throws IOException {
        List<String> all = new ArrayList<>();
        ProgramRun.find("setpriv").ifPresent(setpriv -> all.addAll(List.of(setpriv.toString(), "--pdeathsig", "KILL")));
        all.addAll(command);
        long startNs = System.nanoTime();
        Process process = new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process.getOutputStream().close();
        return new DeadlineProcess(command, log, process, startNs);
    }

    /**
     * Waits for the end of the process.
     *
     * @return seconds from the start to the end
     * @throws IOException with the last line of output when the process fails or exceeds its limit
     */
    public double succeed(Duration limit) throws IOException, InterruptedException {
        double seconds = end(limit);
        if (process.exitValue() != 0) {
            throw new IOException(name() + " ended with exit code " + process.exitValue() + ": " + lastLine());
        }
        return seconds;
    }

    /**
     * Waits for the end of the process, which may fail.
     *
     * @return seconds from the start to the end
     * @throws IOException when the process exceeds its limit
     */
    double end(Duration limit) throws IOException, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
            throw new IOException(name() + " did not end within " + limit.toSeconds() + " s: " + lastLine());
        }
        return seconds();
    }

    /**
     * Kills the process and its children after some time, as kill -9 does.
     *
     * @return seconds from the start to the end
     * @throws IOException when the process ends earlier
     */
    public double killAfter(double seconds) throws IOException, InterruptedException {
        runUntil(seconds);
        kill();
        return seconds();
    }

    /**
     * Waits while the process runs.
     *
     * @param seconds end of the wait, from the start of the process
     * @throws IOException when the process ends earlier
     */
    void runUntil(double seconds) throws IOException, InterruptedException {
        long leftMs = Math.max(0, (long) ((seconds - seconds()) * 1_000));
        if (process.waitFor(leftMs, TimeUnit.MILLISECONDS)) {
            throw new IOException(name() + " ended before it was killed: " + lastLine());
        }
    }

    private void kill() throws InterruptedException {
        destroyTree();
        process.waitFor(KILL_S, TimeUnit.SECONDS);
    }

    private void destroyTree() {
        // Children first: the death of the parent would hide their origin.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private double seconds() {
        return (System.nanoTime() - startNs) / NS_PER_S;
    }

    private String name() {
        return Path.of(command.get(0)).getFileName().toString();
    }

    /** Returns whether the process runs. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the last line of output outside a stack trace. */
    public String lastLine() throws IOException {
        return Files.readString(log, UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\t"))
                .reduce("no output", (before, line) -> line);
    }

    /** Kills the process and its children if still running. */
    @Override
    public void close() {
        destroyTree();
    }
}
