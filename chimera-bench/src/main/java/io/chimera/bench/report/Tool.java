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

/** Programs of this machine: where they lie, and what they take. */
public final class Tool {
    /** What installs those that are missing. */
    public static final String REMEDY = "install it with scripts/setup --bench";

    /** Where tools of the administrator lie, whatever the PATH says. */
    private static final List<String> FURTHER = List.of("/usr/sbin", "/sbin");

    private static final long LIMIT_S = 300;
    private static final String TIMES = "times:";

    /** bash knows the rusage of its child to the millisecond. */
    private static final String TIMED = "TIMEFORMAT='" + TIMES + " %3R %3U %3S'; time \"$@\"";

    private Tool() {}

    /**
     * What a program took that has ended.
     *
     * @param wallSeconds that passed
     * @param cpuSeconds of processors
     */
    public record Took(double wallSeconds, double cpuSeconds) {}

    /** Where a program lies. */
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

    /** Where a program lies that has to be there. */
    public static String require(String name) throws IOException {
        return find(name)
                .orElseThrow(() -> new IOException(name + " is not on this machine; " + REMEDY))
                .toString();
    }

    /**
     * Runs a program on one core to its end.
     *
     * @throws IOException when it does not end well: what it said last
     */
    public static Took timed(int core, List<String> command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(require("bash"), "-c", TIMED, "bash"));
        all.addAll(onCore(core, command));
        String[] times = run(all).lines()
                .filter(line -> line.startsWith(TIMES))
                .findFirst()
                .orElseThrow(() -> new IOException("bash does not say what " + command.get(0) + " took."))
                .split(" ", -1);
        return new Took(Double.parseDouble(times[1]), Double.parseDouble(times[2]) + Double.parseDouble(times[3]));
    }

    /** A command that stays on a core. */
    public static List<String> onCore(int core, List<String> command) throws IOException {
        return Stream.concat(Stream.of(require("taskset"), "-c", Integer.toString(core)), command.stream())
                .toList();
    }

    /** Lets a process that runs use every core, all of its threads. */
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
     * @return all it said
     * @throws IOException when it does not end well: what it said last
     */
    public static String run(List<String> command) throws IOException, InterruptedException {
        Path said = Files.createTempFile("chimera-bench-", ".log"); // a pipe nobody reads would hold it up
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

    /** The last line but those of a stack trace. */
    private static String last(String text) {
        return text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\t") && !line.startsWith(TIMES))
                .reduce("it said nothing", (before, line) -> line);
    }
}
