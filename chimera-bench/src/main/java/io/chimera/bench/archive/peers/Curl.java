package io.chimera.bench.archive.peers;

import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Queries a daemon over HTTP, and measures the time without connection setup: the same client for all HTTP daemons. */
final class Curl {
    private static final Pattern TIMES = Pattern.compile("times: ([0-9.]+) ([0-9.]+)");
    private static final double MS_PER_S = 1e3;

    private static final String NOWHERE = "/dev/null";

    private Curl() {}

    /** Repeats a query over one connection, and ignores the answers. */
    static void askAgain(Runner runner, String question, String address, int times)
            throws IOException, InterruptedException {
        runner.run(List.of(
                ProgramRun.require("curl"),
                "--silent",
                "--show-error",
                "--fail",
                "--output",
                NOWHERE,
                "--data",
                question,
                address + "?[1-" + times + "]"));
    }

    /** Runs a command in the network namespace of the daemon. */
    @FunctionalInterface
    interface Runner {
        /** Returns the output. */
        String run(List<String> command) throws IOException, InterruptedException;
    }

    /**
     * Sends a query.
     *
     * @param options options in addition to the default ones
     * @param into file for the answer
     * @return milliseconds from the request to the complete answer
     */
    static double ask(Runner runner, List<String> options, String question, Path into, String address)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(ProgramRun.require("curl"), "--silent", "--show-error", "--fail", "--max-time", "60"));
        command.addAll(options);
        command.addAll(List.of(
                "--output",
                into.toString(),
                "--write-out",
                "times: %{time_pretransfer} %{time_total}",
                "--data",
                question,
                address));
        String said = runner.run(command);
        Matcher times = TIMES.matcher(said);
        if (!times.find()) {
            throw new IOException("curl prints no times, but " + said.strip());
        }
        return (Double.parseDouble(times.group(2)) - Double.parseDouble(times.group(1))) * MS_PER_S;
    }
}
