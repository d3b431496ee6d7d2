package io.chimera.apps.voip;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.apps.node.ChimeraHome;
import io.chimera.apps.node.Invocation;
import io.chimera.apps.node.child.ChildProcess;
import io.chimera.apps.node.child.FreePorts;
import io.chimera.apps.node.load.HttpTarget;
import io.chimera.apps.node.replay.RowCatcher;
import io.chimera.apps.node.watch.NodeClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * VoIPSTREAM with real processes, of which a processor is killed with SIGKILL in the middle of the calls and starts again: each
 * score is that of a run in which nothing happened. The window is so long that all calls are within the slack of every
 * cycle, so scores depend on the order of the calls alone, not on where cycles are cut.
 */
@Tag("it")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class KilledProcessorIT {
    private static final int CALLS = 12_000;
    private static final int BATCH = 300;
    private static final int BATCHES = CALLS / BATCH;
    private static final int KILLED_AT = BATCHES * 2 / 5;
    private static final int BACK_AT = BATCHES * 3 / 5;

    /** A call a millisecond, so that no two rows of a user share one. */
    private static final int RATE = 1_000;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:MaxDirectMemorySize=192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    @TempDir
    Path folder;

    @Test
    void scoresAreThoseOfAnUndisturbedRunThoughAProcessorWasKilledAndCameBack() throws Exception {
        List<String> batches = batches();
        SortedMap<String, Double> wanted;
        try (Run run = new Run(folder.resolve("undisturbed"))) {
            run.start();
            run.send(batches);
            run.awaitAll();
            wanted = run.scores();
            assertThat(run.metric("p1", "chimera_composer_points_emitted_total"))
                    .isPositive();
            assertThat(run.metric("p2", "chimera_composer_points_emitted_total"))
                    .isPositive();
        }
        assertThat(wanted).as("a score for each half of a call").hasSize(2 * CALLS);
        assertThat(wanted.values()).as("telemarketers are told from others").anyMatch(score -> score > 0.5);

        try (Run run = new Run(folder.resolve("disturbed"))) {
            run.start();
            run.send(batches.subList(0, KILLED_AT));
            run.kill("p1");
            run.send(batches.subList(KILLED_AT, BACK_AT));
            run.startAgain("p1");
            run.send(batches.subList(BACK_AT, BATCHES));
            run.awaitAll();

            assertEqual(run.scores(), wanted);
            assertThat(run.store.changes())
                    .as("rows that were written again with another value")
                    .isZero();
            assertThat(run.metric("q1", "chimera_coordinator_shards_reassigned_total"))
                    .as("shards that the killed processor had")
                    .isPositive();
            for (String heir : List.of("p1", "p2")) {
                assertThat(run.metric(heir, "chimera_composer_rebuilds_total"))
                        .as("states that %s built anew", heir)
                        .isPositive();
                assertThat(run.metric(heir, "chimera_composer_rebuilds_short_total"))
                        .isZero();
            }
        }
    }

    /** Tells a few rows that differ, instead of all of them. */
    private static void assertEqual(SortedMap<String, Double> scores, SortedMap<String, Double> wanted) {
        List<String> lost =
                wanted.keySet().stream().filter(row -> !scores.containsKey(row)).toList();
        List<String> others = scores.entrySet().stream()
                .filter(row -> !row.getValue().equals(wanted.get(row.getKey())))
                .map(row -> row.getKey() + " is " + row.getValue() + ", not " + wanted.get(row.getKey()))
                .toList();
        assertThat(lost).as("lost").isEmpty();
        assertThat(others).as("other or doubled").isEmpty();
        assertThat(scores).hasSameSizeAs(wanted);
    }

    private List<String> batches() throws IOException {
        Path file = folder.resolve("calls.lines");
        Invocation gen = Invocation.of(
                "gen",
                "cdr",
                "--calls=" + CALLS,
                "--users=2000",
                "--telemarketers=20",
                "--rate=" + RATE,
                "--start=" + System.currentTimeMillis(),
                "--out=" + file);
        assertThat(gen.exitCode()).as(gen.err()).isZero();
        List<String> lines = Files.readAllLines(file, US_ASCII);
        List<String> batches = new ArrayList<>();
        for (int i = 0; i < CALLS; i += BATCH) {
            batches.add(String.join("\n", lines.subList(i, i + BATCH)) + '\n');
        }
        return batches;
    }

    /** A queue node with the coordinator and two processors, each a process of its own, and the store they write to. */
    private static final class Run implements AutoCloseable {
        private static final List<String> PROCESSORS = List.of("p1", "p2");

        private final NodeClient client = new NodeClient();
        private final Map<String, String> addresses = new LinkedHashMap<>();
        private final Map<String, ChildProcess> nodes = new LinkedHashMap<>();
        private final FreePorts ports = new FreePorts(8);
        private final RowCatcher store = new RowCatcher();
        private final String input = ports.next();
        private final Path folder;
        private final Path configuration;
        private final HttpTarget target =
                new HttpTarget(URI.create("http://" + input + "/write"), "text/plain", PATIENCE, new AtomicLong());

        Run(Path folder) throws IOException {
            this.folder = Files.createDirectories(folder);
            String zooKeeper = ports.next();
            configuration = Files.writeString(folder.resolve("chimera.yaml"), """
                    coordinator: { connect: "%s", embedded: { run: always, address: "%s" } }
                    cycle: { every: 300ms }
                    queue: { address: "%s", ring_slots: 32, journal: { max_bytes: 512MiB } }
                    processor: { ring_slots: 32, max_bytes: 64MiB }
                    inputs:
                      influx: { http: "%s" }
                    pipelines:
                      calls:
                        inputs: [influx]
                        where: call
                        after:
                          partitions: 16
                          keys: [caller, callee]
                          blocks:
                            score: { type: voip_score, window: 1h, cells: 1024 }
                          output: [score.out]
                        aggregate: { by: [user], functions: [] }
                        stores: [kairos]
                    stores:
                      kairos: { url: "%s" }
                    """.formatted(
                            zooKeeper, zooKeeper, ports.next(), input, store.url()));
            addresses.put("q1", ports.next());
            PROCESSORS.forEach(id -> addresses.put(id, ports.next()));
        }

        void start() throws InterruptedException {
            startNode("q1", "queue_coordinator");
            awaitReady("q1");
            for (String id : PROCESSORS) {
                startNode(id, "processor");
            }
            for (String id : PROCESSORS) {
                awaitReady(id);
            }
        }

        private void startNode(String id, String role) {
            List<String> arguments =
                    new ArrayList<>(List.of("run", role, "--exit-with-parent", "--config", configuration.toString()));
            Map<String, String> settings = new LinkedHashMap<>(Map.of(
                    "node.id",
                    id,
                    "node.host",
                    "127.0.0.1",
                    "node.data_dir",
                    folder.resolve(id).toString(),
                    "node.http",
                    addresses.get(id)));
            if (role.equals("processor")) {
                settings.put("processor.address", "127.0.0.1:0");
            }
            settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
            nodes.put(
                    id,
                    ChildProcess.start(
                            "Node " + id,
                            ChimeraHome.find().nodeCommand(JVM, arguments),
                            folder.resolve(id),
                            folder.resolve(id + ".log")));
        }

        private void awaitReady(String id) throws InterruptedException {
            nodes.get(id).awaitReady(() -> client.isReady(addresses.get(id)));
        }

        void kill(String id) throws InterruptedException {
            nodes.get(id).kill();
            assertThat(nodes.get(id).isAlive()).isFalse();
        }

        /** Starts a node that was killed, with all that it left behind. */
        void startAgain(String id) throws InterruptedException {
            startNode(id, "processor");
            awaitReady(id);
        }

        /** Sends each batch when there is a cycle behind the batch before, so that there are many cycles. */
        void send(List<String> batches) throws IOException, InterruptedException {
            for (String batch : batches) {
                long cycle = status().path("last_cycle").asLong();
                assertThat(target.send(batch.getBytes(US_ASCII))).isZero();
                await().atMost(PATIENCE).until(() -> status().path("last_cycle").asLong() > cycle);
            }
        }

        void awaitAll() throws InterruptedException {
            await().atMost(PATIENCE)
                    .until(() -> status().path("totals").path("points").asLong() >= CALLS);
            assertThat(status().path("totals").path("points").asLong()).isEqualTo(CALLS);
            assertThat(status().path("unaccounted").asLong(-1)).isZero();
        }

        private JsonNode status() throws InterruptedException {
            return client.status(addresses.get("q1"), "coordinator");
        }

        double metric(String id, String name) throws InterruptedException {
            Map<String, Double> metrics = client.metrics(addresses.get(id));
            assertThat(metrics).containsKey(name);
            return metrics.get(name);
        }

        SortedMap<String, Double> scores() {
            return store.rows();
        }

        @Override
        public void close() {
            List<ChildProcess> all = new ArrayList<>(nodes.values());
            Collections.reverse(all); // the coordinator last
            all.forEach(ChildProcess::close);
            store.close();
        }
    }
}
