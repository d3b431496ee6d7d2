package io.chimera.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tlc2.TLC;

/** Runs TLC in a separate JVM, because TLC keeps its state in static fields, and parses its output. */
final class Tlc {
    /** Enough for 10 million states: TLC keeps 8 bytes per state in memory and the queue on disk. */
    private static final String HEAP = "-Xmx1g";

    private static final Pattern INVARIANT = Pattern.compile("Invariant (\\w+) is violated");
    private static final Pattern STATES =
            Pattern.compile("(?m)^(\\d+) states generated, (\\d+) distinct states found, \\d+ states left on queue");
    private static final Pattern DEPTH = Pattern.compile("depth of the complete state graph search is (\\d+)");

    private static final int EXIT_HOLDS = 0;
    private static final int EXIT_LIVENESS = 13;

    private final Path work;
    private final int workers;

    /**
     * Creates a runner.
     *
     * @param work folder for TLC's files
     * @param workers threads per run
     */
    Tlc(Path work, int workers) {
        this.work = work;
        this.workers = workers;
    }

    /**
     * Result of a run.
     *
     * @param configuration the configuration
     * @param result {@code holds}, the violated invariant or property, or the reason of a failed run
     * @param distinct number of distinct states
     * @param generated number of generated states
     * @param depth steps to the farthest state; 0 when not reported by TLC
     * @param seconds duration of the run
     * @param output output of TLC, including the steps to a violation
     */
    record Outcome(
            Configuration configuration,
            String result,
            long distinct,
            long generated,
            long depth,
            long seconds,
            Path output) {}

    Outcome run(Configuration configuration) throws IOException, InterruptedException {
        Path output = Files.createDirectories(work).resolve(configuration.name() + ".out");
        Path states = Files.createDirectories(work.resolve(configuration.name()));
        long beganNs = System.nanoTime();
        Process process = new ProcessBuilder(command(configuration, states))
                .directory(configuration.file().getParent().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit;
        try {
            exit = process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs);
        String text = Files.readString(output);
        return new Outcome(
                configuration,
                result(configuration, exit, text),
                number(STATES, 2, text),
                number(STATES, 1, text),
                number(DEPTH, 1, text),
                seconds,
                output);
    }

    private List<String> command(Configuration configuration, Path states) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseParallelGC",
                "-Djava.io.tmpdir=" + states, // TLC unpacks its standard modules there
                "-cp",
                jar(),
                TLC.class.getName(),
                "-workers",
                Integer.toString(workers),
                "-metadir",
                states.toString(),
                "-config",
                configuration.file().getFileName().toString(),
                configuration.module());
    }

    private static String jar() {
        try {
            return Path.of(TLC.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The JAR of TLC has no path", e);
        }
    }

    private static String result(Configuration configuration, int exit, String text) {
        Matcher invariant = INVARIANT.matcher(text);
        if (exit == EXIT_HOLDS) {
            return Configuration.HOLDS;
        }
        if (invariant.find()) {
            return invariant.group(1);
        }
        return exit == EXIT_LIVENESS ? configuration.properties() : "TLC ended with exit code " + exit;
    }

    /** Returns the last match: TLC reports progress in the same format, and the last report is the total. */
    private static long number(Pattern pattern, int group, String text) {
        long number = 0;
        for (Matcher found = pattern.matcher(text); found.find(); ) {
            number = Long.parseLong(found.group(group));
        }
        return number;
    }
}
