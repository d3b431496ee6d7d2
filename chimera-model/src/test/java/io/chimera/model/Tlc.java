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

/** Runs TLC in a JVM of its own, because it keeps its state in static fields, and reads what it says. */
final class Tlc {
    /** Enough for 10 million states: TLC keeps 8 bytes of each in memory and the queue on disk. */
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
     * Runs nothing yet.
     *
     * @param work folder for what TLC writes
     * @param workers threads of each run
     */
    Tlc(Path work, int workers) {
        this.work = work;
        this.workers = workers;
    }

    /**
     * What came of a configuration.
     *
     * @param configuration what was run
     * @param result {@code holds}, or what was found broken, or why it could not be run
     * @param distinct states found, each counted once
     * @param generated states found
     * @param depth steps to the farthest state; 0 where TLC does not say
     * @param seconds it took
     * @param output all that TLC printed; has the steps that lead to the violation
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
                "-Djava.io.tmpdir=" + states, // it unpacks its standard modules there
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

    /** TLC reports progress in the same words; the last report is the total. */
    private static long number(Pattern pattern, int group, String text) {
        long number = 0;
        for (Matcher found = pattern.matcher(text); found.find(); ) {
            number = Long.parseLong(found.group(group));
        }
        return number;
    }
}
