package io.chimera.node.child;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Child process of a command. The child's standard input is a pipe from this process, so the child ends when this
 * process ends, even by kill -9.
 */
public final class ChildProcess implements AutoCloseable {
    private static final Duration START_PATIENCE = Duration.ofMinutes(10);
    private static final long ORDERLY_SECONDS = 15;
    private static final long SIGNAL_SECONDS = 3;
    private static final int LOG_LINES_SHOWN = 5;

    /** Condition that may require a network request. */
    @FunctionalInterface
    public interface Question {
        /** Returns whether the condition holds now. */
        boolean ask() throws InterruptedException;
    }

    private final String name;
    private final Path log;
    private final Process process;

    private ChildProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a process.
     *
     * @param folder working directory, created if missing
     * @param log receives all output, appended
     */
    public static ChildProcess start(String name, List<String> command, Path folder, Path log) {
        return start(name, command, Map.of(), folder, log);
    }

    /**
     * Starts a process.
     *
     * @param environment variables added to the variables of this process; variables of Chimera itself are not
     *     inherited
     * @param folder working directory, created if missing
     * @param log receives all output, appended
     */
    public static ChildProcess start(
            String name, List<String> command, Map<String, String> environment, Path folder, Path log) {
        try {
            Files.createDirectories(folder);
            Files.createDirectories(log.getParent());
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().keySet().removeIf(variable -> variable.startsWith("CHIMERA_"));
            builder.environment().putAll(environment);
            return new ChildProcess(name, log, builder.start());
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, name + " cannot be started: " + e.getMessage() + ".", e);
        }
    }

    /**
     * Waits until the process is ready.
     *
     * @param ready polled readiness check
     * @throws ChimeraException when the process ends early or needs more than ten minutes; contains the last lines of
     *     its log
     */
    public void awaitReady(Question ready) throws InterruptedException {
        long deadline = System.nanoTime() + START_PATIENCE.toNanos();
        while (!ready.ask()) {
            if (!process.isAlive()) {
                throw failure("ended with exit code " + process.exitValue() + " during its start");
            }
            if (System.nanoTime() > deadline) {
                throw failure("is not ready after " + START_PATIENCE.toSeconds() + " s");
            }
            Thread.sleep(100);
        }
    }

    private ChimeraException failure(String what) {
        return new ChimeraException(
                Category.FATAL,
                name + " " + what + ". Last lines of its log " + log + ":\n  " + String.join("\n  ", logEnd()));
    }

    /** Returns the last lines of the log. */
    public List<String> logEnd() {
        try {
            List<String> lines = logLines();
            return lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size());
        } catch (IOException e) {
            return List.of("(cannot be read: " + e.getMessage() + ")");
        }
    }

    /** Returns the newest line of the log with level WARN or ERROR; empty when the log has none or cannot be read. */
    public Optional<String> lastWarning() {
        try {
            return logLines().stream()
                    .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                    .reduce((earlier, later) -> later);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private List<String> logLines() throws IOException {
        return Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    }

    /** Returns the name for messages. */
    public String name() {
        return name;
    }

    /** Whether the process runs, including a paused process. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Kills the process as in a crash. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS);
    }

    /** Pauses the process (SIGSTOP): memory and connections stay, but the process executes nothing. */
    public void pause() throws InterruptedException {
        signal("STOP");
    }

    /** Resumes the process (SIGCONT). */
    public void resume() throws InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws InterruptedException {
        try {
            int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new ChimeraException(
                        Category.ERROR, name + " cannot be sent SIG" + signal + "; it may have ended.");
            }
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, "The command kill cannot be run: " + e.getMessage() + ".", e);
        }
    }

    /** Requests a stop without waiting. */
    public void askToStop() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroy();
        }
    }

    /** Stops the process in order; after a timeout by a signal, and finally by force. */
    @Override
    public void close() {
        askToStop();
        try {
            if (!process.waitFor(ORDERLY_SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
                if (!process.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS)) {
                    kill();
                }
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
