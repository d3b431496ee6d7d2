package io.chimera.bench.peers.engine;

import io.chimera.bench.peers.job.ResultTable;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Telegraf with a socket listener, its basicstats aggregator and a file for the results, built from its Go module
 * without other plugins. The aggregator computes aggregates per period, by arrival time; a pass ends when the results
 * in the file account for all points.
 */
public final class TelegrafEngine implements Engine {
    private static final long START_SECONDS = 60;
    private static final long PATIENCE_S = 300;
    private static final long POLL_MS = 50;

    /** Telegraf's build tags for an agent with only these plugins. */
    private static final String PLUGINS =
            "custom,inputs.socket_listener,aggregators.basicstats,outputs.file," + "parsers.influx,serializers.influx";

    /**
     * Heap growth in percent before Go collects: the default of 100 would spend a fifth of the time on a heap of 50 MB.
     */
    private static final String GC_PERCENT = "400";

    private final Workplace workplace;
    private final FreePorts ports = new FreePorts(1);
    private final String lines = ports.next();
    private final TelegrafResults results;
    private volatile Process agent;
    private PeerProcess feeder;
    private int passes;

    /** Creates an engine without starting the agent. */
    public TelegrafEngine(Workplace workplace) {
        this.workplace = workplace;
        results = new TelegrafResults(workplace.folder().resolve("results.lines"));
    }

    @Override
    public Optional<String> unavailable() throws InterruptedException {
        try {
            Process go = new ProcessBuilder("go", "version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return go.waitFor() == 0 ? Optional.empty() : Optional.of("the Go compiler does not run");
        } catch (IOException e) {
            return Optional.of("its build from the Go module needs a Go compiler, and none is installed");
        }
    }

    @Override
    public void start() throws IOException, InterruptedException {
        Path binary = build();
        Path configuration = workplace.folder().resolve("telegraf.conf");
        Files.writeString(configuration, configuration());
        ProcessBuilder command = new ProcessBuilder(binary.toString(), "--config", configuration.toString())
                .directory(workplace.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(workplace.folder().resolve("telegraf.log").toFile());
        command.environment().put("GOGC", GC_PERCENT);
        agent = command.start();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!listens()) {
            if (!agent.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("Telegraf does not start; see telegraf.log in " + workplace.folder() + ".");
            }
            Thread.sleep(POLL_MS);
        }
        feeder = Feeders.tcp(workplace, lines);
    }

    private Path build() throws IOException, InterruptedException {
        Path folder = workplace.peerFolder("telegraf");
        Path binary = folder.resolve("target/telegraf");
        if (Files.exists(binary)
                && Files.getLastModifiedTime(binary).compareTo(Files.getLastModifiedTime(folder.resolve("go.mod")))
                        > 0) {
            return binary;
        }
        System.err.println("Building the peer telegraf (its modules come from the Go module proxy)…");
        ProcessBuilder builder = new ProcessBuilder(
                        "go",
                        "build",
                        "-tags",
                        PLUGINS,
                        "-o",
                        binary.toString(),
                        "github.com/influxdata/telegraf/cmd/telegraf")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(workplace.folder().resolve("go.log").toFile());
        builder.environment().put("GOFLAGS", "-mod=mod");
        if (builder.start().waitFor() != 0) {
            throw new IOException("Telegraf cannot be built; see go.log in " + workplace.folder()
                    + ", or exclude Telegraf with --only.");
        }
        return binary;
    }

    /**
     * Returns the configuration. The times of points are in the past, which the aggregator accepts through its grace;
     * the original points are dropped.
     */
    private String configuration() {
        return """
                [agent]
                  interval = "1s"
                  flush_interval = "1s"
                  metric_batch_size = 5000
                  metric_buffer_limit = 100000
                  omit_hostname = true
                [[inputs.socket_listener]]
                  service_address = "tcp://%s"
                  read_buffer_size = "1MiB"
                  data_format = "influx"
                  influx_parser_type = "upstream"
                [[aggregators.basicstats]]
                  period = "3s"
                  grace = "87600h"
                  drop_original = true
                  stats = ["count", "sum", "min", "max", "mean", "s2"]
                [[outputs.file]]
                  files = ["%s"]
                  data_format = "influx"
                """.formatted(lines, results.file());
    }

    private boolean listens() {
        int colon = lines.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(lines.substring(0, colon), Integer.parseInt(lines.substring(colon + 1))));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void pass() throws IOException, InterruptedException {
        passes++;
        feeder.go();
        feeder.awaitDone();
        long wanted = (long) passes * workplace.points();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (results.readOn() < wanted) {
            if (System.nanoTime() > deadline) {
                throw new IOException("Telegraf accounts for " + results.readOn() + " of " + wanted + " points after "
                        + PATIENCE_S + " s; see telegraf.log in " + workplace.folder() + ".");
            }
            Thread.sleep(POLL_MS);
        }
    }

    @Override
    public List<Long> pids() {
        Process running = agent;
        return running == null ? List.of() : List.of(running.pid());
    }

    @Override
    public List<Long> feederPids() {
        return feeder == null ? List.of() : List.of(feeder.pid());
    }

    @Override
    public ResultTable finish() {
        return results.table();
    }

    @Override
    public void close() {
        if (feeder != null) {
            feeder.close();
        }
        if (agent != null) {
            agent.destroyForcibly();
        }
        try {
            results.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
