package io.chimera.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Finds and runs programs of this machine, and measures their cost. */
public final class ProgramRun {
    /** Remedy for a missing program. */
    public static final String REMEDY = "install it with scripts/setup --bench";

    /** Folders of administration tools, searched in addition to PATH. */
    private static final List<String> FURTHER = List.of("/usr/sbin", "/sbin");

    private static final long LIMIT_S = 300;
    private static final String TIMES = "times:";

    /** Script for bash, which reports the rusage of its child in milliseconds. */
    private static final String TIMED = "TIMEFORMAT='" + TIMES + " %3R %3U %3S'; time \"$@\"";

    private ProgramRun() {}

    /**
     * Cost of an ended program.
     *
     * @param wallSeconds wall time
     * @param cpuSeconds processor time
     */
    public record Took(double wallSeconds, double cpuSeconds) {}

    /** Returns the path of a program. */
    public static Optional<Path> find(String name) {
        List<String> folders =
                new ArrayList<>(List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)));
        folders.addAll(FURTHER);
        return folders.stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns the path of a required program. */
    public static String require(String name) throws IOException {
        return find(name)
                .orElseThrow(() -> new IOException(name + " is not installed; " + REMEDY))
                .toString();
    }

    /**
     * Runs a program on one core to its end.
     *
     * @throws IOException with the last output line when the program fails
     */
    public static Took timed(int core, List<String> command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(require("bash"), "-c", TIMED, "bash"));
        all.addAll(onCore(core, command));
        String[] times = run(all).lines()
                .filter(line -> line.startsWith(TIMES))
                .findFirst()
                .orElseThrow(() -> new IOException("bash reports no times of " + command.get(0) + "."))
                .split(" ", -1);
        return new Took(Double.parseDouble(times[1]), Double.parseDouble(times[2]) + Double.parseDouble(times[3]));
    }

    /** Wraps a command to run on one core. */
    public static List<String> onCore(int core, List<String> command) throws IOException {
        return Stream.concat(Stream.of(require("taskset"), "-c", Integer.toString(core)), command.stream())
                .toList();
    }

    /** Lets all threads of a running process use every core. */
    public static void onAllCores(long pid) throws IOException, InterruptedException {
        run(List.of(
                require("taskset"),
                "--all-tasks",
                "--cpu-list",
                "--pid",
                "0-" + (Runtime.getRuntime().availableProcessors() - 1),
                Long.toString(pid)));
    }

    /**
     * Runs a program to its end.
     *
     * @return its whole output
     * @throws IOException with the last output line when the program fails
     */
    public static String run(List<String> command) throws IOException, InterruptedException {
        Path said = Files.createTempFile("chimera-bench-", ".log"); // a pipe without a reader would block the program
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                throw new IOException(String.join(" ", command) + " does not end");
            }
            String text = Files.readString(said, UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(
                        String.join(" ", command) + " ended with " + process.exitValue() + ": " + last(text));
            }
            return text;
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(said);
        }
    }

    /** Returns the last line outside a stack trace. */
    private static String last(String text) {
        return text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\t") && !line.startsWith(TIMES))
                .reduce("no output", (before, line) -> line);
    }
}
