package io.chimera.node.demo;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Waits;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.child.KairosReader;
import io.chimera.node.load.HttpTarget;
import io.chimera.node.load.LoadPlan;
import io.chimera.node.load.LoadRun;
import io.chimera.node.load.PointFormat;
import io.chimera.node.watch.ClusterSnapshot;
import io.chimera.node.watch.NodeClient;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rolling restart of docs/operations/upgrade.md, command by command, with real processes under load. */
@Tag("it")
final class RollingRestartIT {
    private static final List<String> DRAINED = List.of("q1", "q2", "q3", "p1", "p2", "p3");
    private static final String COUNT = LoadPlan.METRIC + "." + LoadPlan.FIELD + ".count";
    private static final String SUM = LoadPlan.METRIC + "." + LoadPlan.FIELD + ".sum";

    /** Longer than a drain and a restart on a busy machine. */
    private final NodeClient client = new NodeClient();

    @TempDir
    Path folder;

    @Test
    void restartsEveryNodeUnderLoadWithoutAReassignmentAndWithoutLosingOrDoublingAPoint() throws Exception {
        try (DemoCluster cluster = new DemoCluster(ChimeraHome.find(), folder, "1s", 3, Optional.empty())) {
            cluster.start();
            long beganMs = System.currentTimeMillis();
            LoadRun load = new LoadRun(new LoadPlan(300, 600, Duration.ofDays(1), 1), PointFormat.INFLUX);
            CompletableFuture<LoadRun.Result> sending =
                    CompletableFuture.supplyAsync(() -> send(load, cluster.inputs()));

            for (String node : DRAINED) {
                drainAndStart(cluster, node);
            }
            assertNothingWasReassigned(cluster);

            cluster.stopNode("c1"); // its ZooKeeper stops too: no cycle begins or commits until the restart
            cluster.startNode("c1");
            cluster.awaitReady("c1");
            long cycle = snapshot(cluster).cycle();
            await().until(() -> snapshot(cluster).cycle() > cycle + 2);

            load.stop();
            LoadRun.Result sent = sending.get();
            await().until(() -> snapshot(cluster).account("aggregated") >= sent.points()
                    && snapshot(cluster).openCycles() == 0);
            assertEverythingIsStoredOnce(cluster, sent, beganMs);
            removeTwoQueueNodes(cluster);
        }
    }

    private void drainAndStart(DemoCluster cluster, String node) throws InterruptedException {
        Invocation drain = Invocation.of("cluster", "drain", node, "--http", cluster.coordinator());
        assertThat(drain.exitCode()).as(drain.err()).isZero();
        assertThat(drain.out()).contains(node + " has left.");
        await(node).until(() -> !cluster.isRunning(node));
        cluster.startNode(node);
        cluster.awaitReady(node);
        if (node.startsWith("p")) {
            // A new processor receives a shard of the next cycle.
            String http = cluster.address(node, "node.http");
            await(node + " commits")
                    .until(() -> client.metrics(http).getOrDefault("chimera_cluster_commits_total", 0.0) > 0);
        }
    }

    private void assertNothingWasReassigned(DemoCluster cluster) throws InterruptedException {
        assertThat(client.metrics(cluster.coordinator()))
                .containsEntry("chimera_coordinator_parts_reassigned_total", 0.0)
                .containsEntry("chimera_coordinator_shards_reassigned_total", 0.0);
    }

    private void assertEverythingIsStoredOnce(DemoCluster cluster, LoadRun.Result sent, long beganMs)
            throws InterruptedException {
        assertThat(client.status(cluster.coordinator(), "coordinator")
                        .path("unaccounted")
                        .asLong(-1))
                .isZero();
        assertThat(sent.refused()).isZero();
        long hourMs = Duration.ofHours(1).toMillis();
        KairosReader reader = new KairosReader(cluster.kairos());
        await().untilAsserted(() -> assertThat(
                        reader.readAll(beganMs - hourMs, beganMs + hourMs).sum(COUNT))
                .isEqualTo((double) sent.points()));
        assertThat(reader.readAll(beganMs - hourMs, beganMs + hourMs).sum(SUM)).isEqualTo((double) sent.valueSum());
    }

    /** Removes a live queue node, drained first, and a dead one; the last queue node then acknowledges alone. */
    private void removeTwoQueueNodes(DemoCluster cluster) throws Exception {
        Invocation live = Invocation.of("cluster", "remove", "q3", "--http", cluster.coordinator());
        assertThat(live.exitCode()).as(live.err()).isZero();
        await().until(() -> registered(cluster) == 2);
        cluster.kill("q2");
        await().until(() -> snapshot(cluster).queues() == 1);

        Invocation dead = Invocation.of("cluster", "remove", "q2", "--http", cluster.coordinator());

        assertThat(dead.exitCode()).as(dead.err()).isZero();
        await().until(() -> registered(cluster) == 1);
        URI input = URI.create("http://" + cluster.address("q1", "inputs.influx.http") + "/write");
        try (HttpTarget target = new HttpTarget(input, "text/plain", Waits.MAX, new AtomicLong())) {
            assertThat(target.send("cpu,host=h1 value=1".getBytes(StandardCharsets.UTF_8)))
                    .isZero();
        }
    }

    private int registered(DemoCluster cluster) throws InterruptedException {
        return client.status(cluster.coordinator(), "coordinator")
                .path("registered")
                .asInt();
    }

    private ClusterSnapshot snapshot(DemoCluster cluster) throws InterruptedException {
        return ClusterSnapshot.take(client, cluster.coordinator());
    }

    private static LoadRun.Result send(LoadRun load, List<String> inputs) {
        try {
            return load.send(
                    inputs.size(),
                    (number, retries) -> new HttpTarget(
                            URI.create("http://" + inputs.get(number) + "/write"), "text/plain", Waits.MAX, retries),
                    System.currentTimeMillis() * 1_000_000,
                    true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
