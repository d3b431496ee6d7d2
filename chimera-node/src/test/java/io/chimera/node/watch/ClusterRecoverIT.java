package io.chimera.node.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.node.child.FreePorts;
import io.chimera.node.replay.RowCatcher;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk of the only ZooKeeper server is lost under load. No cycle begins before the operator has rebuilt the data;
 * then every point acknowledged before, during and after the loss counts once.
 */
@Tag("it")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class ClusterRecoverIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String COMMAND = "chimera cluster recover";

    private final NodeClient client = new NodeClient();
    private final HttpClient http = HttpClient.newHttpClient();
    private final FreePorts ports = new FreePorts(5);
    private final String coordinator = ports.next();
    private final String queue = ports.next();
    private final String processor = ports.next();
    private final String input = ports.next();
    private final String zooKeeper = ports.next();
    private final RowCatcher store = new RowCatcher();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicLong acknowledged = new AtomicLong();
    private final List<String> wrongAnswers = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    @TempDir
    Path folder;

    ClusterRecoverIT() throws IOException {}

    @AfterEach
    void stop() throws InterruptedException {
        isOver.set(true);
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        store.close();
    }

    @Test
    void everyPointCountsOnceAfterZooKeepersDiskWasLostAndRecovered() throws Exception {
        Path file = configuration();
        Process first = run("coordinator", coordinator, file);
        run("queue", queue, file);
        run("processor", processor, file);
        awaitUntil(
                "all nodes are ready",
                () -> client.isReady(coordinator) && client.isReady(queue) && client.isReady(processor));
        Thread load = new Thread(this::sendUntilOver, "load");
        load.start();
        awaitUntil("the queue node's copy knows of three cycles", () -> lowInCopy() >= 3);

        first.destroyForcibly().waitFor();
        long rowsAtLoss = store.rows().size();
        delete(folder.resolve("coordinator/zookeeper"));
        run("coordinator", coordinator, file);
        awaitUntil("the coordinator's readiness names the command", () -> client.reasons(coordinator)
                .contains(COMMAND));
        awaitUntil("points are acknowledged meanwhile", this::isAcknowledging);
        assertThat(lastCycle()).as("a cycle began in the empty tree").isZero();

        JsonNode plan = recover(file);
        assertThat(plan.path("needed").asBoolean()).isTrue();
        assertThat(plan.path("written").asBoolean()).isFalse();
        assertThat(plan.path("low").asLong()).as("%s", plan).isGreaterThanOrEqualTo(3);
        assertThat(lastCycle()).as("a dry run writes nothing").isZero();
        long acknowledgedBefore = acknowledged.get();
        assertThat(recover(file, "--yes").path("written").asBoolean()).isTrue();

        awaitUntil("ingestion goes on", () -> total() > acknowledgedBefore && isAcknowledging());
        isOver.set(true);
        load.join();
        awaitUntil(
                "all acknowledged points are stored",
                () -> total() >= acknowledged.get() && status().path("open").isEmpty());
        assertThat(wrongAnswers).isEmpty();
        assertThat(total()).as("each point counts once").isEqualTo((double) acknowledged.get());
        assertThat(status().path("totals").path("points").asLong()).isEqualTo(acknowledged.get());
        assertThat(status().path("unaccounted").asLong()).isZero();
        assertThat((long) store.rows().size()).isGreaterThan(rowsAtLoss);
        assertThat(store.changes()).as("rows written again with another value").isZero();
        assertThat(recover(file).path("needed").asBoolean()).isFalse();
        assertThat(client.isReady(coordinator)).isTrue();
    }

    /** Condition that queries nodes; the nodes may be down at the moment. */
    private interface Condition {
        boolean holds() throws Exception;
    }

    private void awaitUntil(String what, Condition condition) {
        await(what).atMost(PATIENCE).ignoreExceptions().until(condition::holds);
    }

    private long lastCycle() throws InterruptedException {
        return status().path("last_cycle").asLong(-1);
    }

    private long lowInCopy() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("queue"))) {
            Path copy = all.filter(path -> path.endsWith("control.json"))
                    .findFirst()
                    .orElseThrow();
            String line = Files.readString(copy);
            return Json.read("control.json", line.substring(line.indexOf('{')))
                    .at("/low/cycle")
                    .asLong();
        }
    }

    private boolean isAcknowledging() throws InterruptedException {
        long before = acknowledged.get();
        Thread.sleep(100);
        return acknowledged.get() > before;
    }

    private JsonNode recover(Path file, String... more) {
        List<String> arguments = new ArrayList<>(List.of("cluster", "recover", "-c", file.toString(), "--json"));
        arguments.addAll(List.of(more));
        Invocation run = Invocation.of(arguments.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        return Json.read("recover", run.out());
    }

    /**
     * Sends one point after the other. The queue node must acknowledge each point, independent of ZooKeeper's content.
     */
    private void sendUntilOver() {
        try {
            while (!isOver.get()) {
                int status = write("live,host=h0 value=1\n");
                if (status == 204) {
                    acknowledged.incrementAndGet();
                } else {
                    wrongAnswers.add("status " + status);
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (IOException | InterruptedException e) {
            wrongAnswers.add(e.toString());
        }
    }

    private double total() {
        return store.rows().entrySet().stream()
                .filter(row -> row.getKey().startsWith("live.value.count "))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private JsonNode status() throws InterruptedException {
        return client.status(coordinator, "coordinator");
    }

    private int write(String lines) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + input + "/write"))
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(lines))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    private Path configuration() throws IOException {
        return Files.writeString(
                folder.resolve("chimera.yaml"), """
                node: { id: n1, host: 127.0.0.1 }
                coordinator: { connect: "%s", embedded: { run: never, address: "%s" } }
                cycle: { every: 300ms }
                queue: { address: "127.0.0.1:0", journal: { max_bytes: 256MiB, reserve: 1MiB } }
                processor: { address: "127.0.0.1:0" }
                inputs: { influx: { http: "%s" } }
                pipelines: { all: { aggregate: { functions: [count] }, stores: [kairos] } }
                stores: { kairos: { url: "%s" } }
                """.formatted(zooKeeper, zooKeeper, input, store.url()));
    }

    private Process run(String role, String address, Path file) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                role,
                "-c",
                file.toString(),
                "--set",
                "node.http=" + address,
                "--set",
                "node.data_dir=" + folder.resolve(role)));
        if (role.equals("coordinator")) {
            arguments.addAll(List.of("--set", "coordinator.embedded.run=always"));
        }
        Path log = folder.resolve(role + processes.size() + ".log");
        ProcessBuilder builder = new ProcessBuilder(ChimeraHome.find().nodeCommand(List.of("-Xmx256m"), arguments))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
