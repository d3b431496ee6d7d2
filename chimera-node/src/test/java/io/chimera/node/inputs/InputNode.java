package io.chimera.node.inputs;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.FreePorts;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A process with all roles, an archive as its store, and inputs for real clients. Clients are programs of the machine
 * or of the Python environment that {@code scripts/setup} installs; a test without its client is skipped.
 */
final class InputNode implements AutoCloseable {
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:MaxDirectMemorySize=256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final Path PYTHON = Path.of("clients/venv/bin/python").toAbsolutePath();

    /** Output of the last program. */
    private static final String OUTPUT = "program.out";

    private final NodeClient client = new NodeClient();
    private final Path folder;
    private final String http;
    private final ChildProcess node;

    /**
     * Starts the node and waits until the node is ready.
     *
     * @param folder folder for all files
     * @param ports free ports, at least two more than used in the inputs
     * @param inputs inputs section of the configuration
     */
    InputNode(Path folder, FreePorts ports, String inputs) throws IOException, InterruptedException {
        this.folder = folder;
        http = ports.next();
        Path file = Files.writeString(folder.resolve("chimera.yaml"), """
                node: { id: n1, host: 127.0.0.1, data_dir: "%s", http: "%s" }
                coordinator: { embedded: { address: "%s" } }
                cycle: { every: 500ms }
                queue: { address: "127.0.0.1:0", ring_slots: 16, journal: { max_bytes: 256MiB, reserve: 1MiB } }
                processor: { address: "127.0.0.1:0", ring_slots: 16, max_bytes: 32MiB }
                inputs:
                %s
                pipelines: { all: { aggregate: { functions: [count, sum, min, max] }, stores: [past] } }
                stores: { past: { type: archive, archive: { size: 64MiB } } }
                """.formatted(
                        folder.resolve("data"), http, ports.next(), inputs.indent(2)));
        node = ChildProcess.start(
                "Node n1",
                ChimeraHome.find().nodeCommand(JVM, List.of("run", "all", "-c", file.toString())),
                Files.createDirectories(folder.resolve("n1")),
                folder.resolve("n1.log"));
        node.awaitReady(() -> client.isReady(http));
    }

    /** Runs a Python script with the clients; the arguments follow the script. */
    void python(String script, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("-c", script));
        words.addAll(Arrays.asList(arguments));
        run(PYTHON, words.toArray(String[]::new));
    }

    /** Runs a program to its end, which must be a success; returns the output. */
    String run(Path program, String... arguments) throws IOException, InterruptedException {
        Process process = start(program, arguments);
        try {
            assertThat(process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(folder.resolve(OUTPUT)))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(folder.resolve(OUTPUT));
    }

    /** Starts a program with its output in a file. */
    Process start(Path program, String... arguments) throws IOException {
        assumeTrue(Files.isExecutable(program), program + " is not installed; scripts/setup installs it");
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(OUTPUT).toFile())
                .start();
    }

    /** Returns the port of an address. */
    static int port(String address) {
        return Endpoint.parse(address).port();
    }

    /** Returns a metric of the node. */
    double metric(String name) throws IOException, InterruptedException {
        return client.metrics(http).getOrDefault(name, 0.0);
    }

    /** Waits until a field has a number of points in the store, and compares the aggregates of all rows. */
    void awaitStored(String field, long count, double sum, double min, double max) {
        await(field).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> assertThat(
                        stored(field + ".count").values().stream()
                                .mapToDouble(row -> row)
                                .sum())
                .isEqualTo((double) count));
        assertThat(stored(field + ".sum").values().stream()
                        .mapToDouble(row -> row)
                        .sum())
                .isEqualTo(sum);
        assertThat(stored(field + ".min").values().stream()
                        .mapToDouble(row -> row)
                        .min())
                .hasValue(min);
        assertThat(stored(field + ".max").values().stream()
                        .mapToDouble(row -> row)
                        .max())
                .hasValue(max);
    }

    /** Returns the rows of an output series by tags, time and type. */
    Map<String, Double> stored(String metric) {
        Invocation answer = Invocation.of("archive", "query", "--http", http, "--json", "metric!=none");
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        Map<String, Double> rows = new TreeMap<>();
        for (String line : answer.out().lines().toList()) {
            JsonNode row = Json.read(line, line);
            if (row.path("metric").asText().equals(metric)) {
                rows.put(
                        row.path("tags")
                                + row.path("time").asText()
                                + row.path("type").asText(),
                        row.path("value").asDouble());
            }
        }
        return rows;
    }

    @Override
    public void close() {
        node.close();
    }
}
