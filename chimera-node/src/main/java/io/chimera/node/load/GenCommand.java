package io.chimera.node.load;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.Durations;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.Json;
import io.chimera.node.option.DurationConverter;
import io.chimera.node.option.EndpointConverter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sends a generated load with known counts and sums. */
@Command(
        name = "gen",
        subcommands = {TweetsCommand.class, CdrCommand.class, AttackCommand.class},
        description = {
            "Send a generated load with known counts and sums, or write it to a file.",
            "The same seed gives the same series and values. The values of a series are base, base+1, base+2 …, so"
                    + " count and sum are known. The last line on standard output reports them as JSON, also after a"
                    + " failure or an interrupt."
        },
        mixinStandardHelpOptions = true)
public final class GenCommand implements Callable<Integer> {
    /** Protocol of the load. */
    enum Protocol {
        INFLUX_HTTP(PointFormat.INFLUX, 8086),
        INFLUX_TCP(PointFormat.INFLUX, 8094),
        INFLUX_UDP(PointFormat.INFLUX, 8094),
        KAIROS_HTTP(PointFormat.KAIROS_JSON, 8080),
        KAIROS_TELNET(PointFormat.KAIROS_TELNET, 4242);

        private final PointFormat format;
        private final int port;

        Protocol(PointFormat format, int port) {
            this.format = format;
            this.port = port;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Spec
    private CommandSpec spec;

    @Option(names = "--series", defaultValue = "2000", description = "Number of series. Default: ${DEFAULT-VALUE}.")
    private int series;

    @Option(names = "--rate", defaultValue = "10000", description = "Points per second. Default: ${DEFAULT-VALUE}.")
    private long rate;

    @Option(
            names = "--for",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "Duration, e.g. 60s. Default: ${DEFAULT-VALUE}.")
    private Duration duration;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the values. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--protocol",
            defaultValue = "influx-http",
            description = "Protocol: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Protocol protocol;

    @Option(
            names = "--to",
            paramLabel = "HOST:PORT",
            converter = EndpointConverter.class,
            description = "Target address. Default: 127.0.0.1 with the default port of the protocol.")
    private Endpoint to;

    @Option(
            names = "--connections",
            defaultValue = "1",
            description = "Number of connections. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write to a file at full speed instead; - is standard output.")
    private String out;

    @Option(
            names = "--start",
            paramLabel = "MS",
            description = "Time stamp of the first point, milliseconds since 1970. Default: now.")
    private Long startMs;

    /** Creates the command for picocli. */
    public GenCommand() {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        if (connections < 1 || connections > 256 || connections > series) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--connections must be 1 to 256, and at most the number of series.");
        }
        LoadPlan plan = plan();
        LoadRun run = new LoadRun(plan, protocol.format);
        long startNs = (startMs == null ? System.currentTimeMillis() : startMs) * 1_000_000;
        boolean toStandardOutput = "-".equals(out);
        Interruption interruption = new Interruption(run);
        Runtime.getRuntime().addShutdownHook(interruption);
        String failure = "";
        try {
            if (out == null) {
                run.send(connections, this::open, startNs, true);
            } else {
                run.send(1, (number, retries) -> new StreamTarget(file(toStandardOutput)), startNs, false);
            }
        } catch (ChimeraException e) {
            failure = e.getMessage();
            throw e;
        } finally {
            interruption.report(failure);
        }
        return run.result().refused() == 0 ? 0 : 1;
    }

    /** Reports the sent load exactly once: at the end of the load, on a failure, or on a signal. */
    private final class Interruption extends Thread {
        /** Maximum wait for the answer to a batch in flight. */
        private static final long BATCH_MS_MAX = 3_000;

        private final LoadRun run;
        private final CountDownLatch reported = new CountDownLatch(1);
        private boolean isReported;

        Interruption(LoadRun run) {
            super("gen-interrupted");
            this.run = run;
        }

        /**
         * On a signal: stops the load between two batches, and prints the report itself if the load does not end in
         * time.
         */
        @Override
        public void run() {
            run.stop();
            try {
                if (!reported.await(BATCH_MS_MAX, TimeUnit.MILLISECONDS)) {
                    report("interrupted");
                }
            } catch (InterruptedException e) {
                currentThread().interrupt();
            }
        }

        synchronized void report(String failure) {
            if (isReported) {
                return;
            }
            isReported = true;
            boolean isWhole = run.result().points() == plan().points();
            print(run, failure.isEmpty() && !isWhole ? "interrupted" : failure);
            reported.countDown();
            end();
        }

        private void end() {
            try {
                Runtime.getRuntime().removeShutdownHook(this);
            } catch (IllegalStateException e) {
                spec.commandLine().getOut().flush(); // the JVM is already shutting down
            }
        }
    }

    private void print(LoadRun run, String failure) {
        Map<String, Object> figures = run.result().figures();
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("name", "gen");
        report.put("figures", figures);
        report.put("load", Map.of("series", series, "rate", rate, "for", Durations.format(duration), "seed", seed));
        if (!failure.isEmpty()) {
            figures.put("points_unanswered", run.unanswered());
            report.put("failed", failure);
        }
        // keeps the report out of the points on standard output
        PrintWriter to = "-".equals(out)
                ? spec.commandLine().getErr()
                : spec.commandLine().getOut();
        to.println(Json.line(report));
        to.flush();
    }

    private LoadPlan plan() {
        try {
            return new LoadPlan(series, rate, duration, seed);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private OutputStream file(boolean toStandardOutput) throws IOException {
        if (toStandardOutput) {
            return new BufferedOutputStream(System.out);
        }
        return new BufferedOutputStream(Files.newOutputStream(Path.of(out)));
    }

    private LoadTarget open(int number, AtomicLong retries) throws IOException {
        Endpoint address = to == null ? new Endpoint("127.0.0.1", protocol.port) : to;
        Duration patience = Duration.ofSeconds(30);
        try {
            return switch (protocol) {
                case INFLUX_HTTP ->
                    new HttpTarget(URI.create("http://" + address + "/write"), "text/plain", patience, retries);
                case KAIROS_HTTP ->
                    new HttpTarget(
                            URI.create("http://" + address + "/api/v1/datapoints"),
                            "application/json",
                            patience,
                            retries);
                case INFLUX_TCP, KAIROS_TELNET -> new SocketTarget(address, patience);
                case INFLUX_UDP -> new DatagramTarget(address);
            };
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Cannot connect to " + address + " (" + e.getMessage() + "). Name an input of a running queue"
                            + " node with --to.",
                    e);
        }
    }
}
