package io.chimera.node.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.chimera.common.cluster.LowMark;
import io.chimera.coordinator.ClusterStatus;
import io.chimera.coordinator.ReplayStatus;
import io.chimera.coordinator.conductor.CommittedCycle;
import io.chimera.coordinator.watch.Standstill;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cluster commands against a server with the status of a real coordinator. */
final class ClusterStatusCommandTest {
    private HttpServer server;
    private String address;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        address = "127.0.0.1:" + server.getAddress().getPort();
        page(
                "/status",
                Json.line(Map.of(
                        "nodes",
                        List.of(
                                Map.of("role", "coordinator", "status", status()),
                                Map.of("role", "processor", "status", processorStatus())))));
        page("/metrics", """
            # TYPE chimera_parser_points_total counter
            chimera_parser_points_total{component="queue",node="q1"} 1.5E6
            chimera_journal_points_total{component="queue",node="q1"} 1400000.0
            chimera_dispatch_points_forwarded_total{component="queue",node="q1"} 7.0
            chimera_staging_points_total{component="processor",node="p1"} 6.0
            chimera_flusher_rows_total{component="processor",node="p1"} 5.0
            """);
        server.start();
    }

    private static Map<String, Object> processorStatus() {
        return Map.of(
                "rebuilding",
                List.of(Map.of(
                        "pipeline",
                        "calls",
                        "partitions",
                        12,
                        "cycle",
                        41,
                        "last",
                        120,
                        "cycles_done",
                        40,
                        "cycles_left",
                        80,
                        "age_ms",
                        3_250)),
                "heaviest",
                Map.of(
                        "cycle",
                        7,
                        "points",
                        40,
                        "groups",
                        List.of(
                                Map.of("pipeline", "all", "metric", "cpu", "tags", Map.of("host", "a"), "values", 30),
                                Map.of("pipeline", "all", "metric", "cpu", "tags", Map.of("host", "b"), "values", 4))));
    }

    private ClusterStatus status() {
        return new ClusterStatus(
                "demo",
                "c1",
                true,
                "",
                "c1",
                4,
                true,
                new Standstill(Standstill.Cause.CYCLE_OPEN, 9, 1_000, List.of("p2"), "3 cycles are open"),
                List.of("Only 1 of 2 journals.", "No lane 1."),
                "configuration 12ab waits for q2.",
                List.of(
                        new ClusterStatus.Member("queue", "q1", "main", "ab", "h:1", address, false, true, false, ""),
                        new ClusterStatus.Member("processor", "p1", "", "cd", "h:2", address, true, false, false, ""),
                        new ClusterStatus.Member(
                                "processor",
                                "p2",
                                "",
                                "ef",
                                "h:3",
                                "127.0.0.1:1",
                                false,
                                false,
                                true,
                                "lacks plugin hello 1.0 (ab)")),
                List.of(new ClusterStatus.DeadQueueNode("q2", "main")),
                List.of(new ClusterStatus.GroupSize("main", 2, 2)),
                1,
                List.of(new ClusterStatus.Open(
                        8,
                        1_000,
                        55,
                        "d",
                        1,
                        List.of("q1"),
                        List.of(new ClusterStatus.Shard(0, "p1", true), new ClusterStatus.Shard(1, "p2", false)))),
                7,
                new LowMark.Totals(100, 90, 4, 3, 3, 12),
                0,
                42,
                List.of(new CommittedCycle(7, 900, 10, 10, 0, 0, 0, 2, 42, 1.5)),
                List.of(new ReplayStatus("r-1", "", 3, 6, 4, 2, 1, 30, 8, 0)),
                LowMark.Totals.ZERO);
    }

    private void page(String path, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        server.createContext(path, exchange -> {
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void showsMembersCyclesAndAccounts() {
        Invocation shown = Invocation.of("cluster", "status", "--http", address);

        assertThat(shown.exitCode()).isZero();
        assertThat(shown.out())
                .contains("Cluster demo, connected to ZooKeeper. Coordinator c1 leads, epoch 4.")
                .contains("cause cycle_open, cycle 9, nodes p2. 3 cycles are open.")
                .containsPattern("q1 +queue +main +h:1 +127.0.0.1:\\d+ +works")
                .containsPattern("q2 +queue +main +- +- +dead")
                .contains("Only 1 of 2 journals.\nNo lane 1.\n")
                .containsPattern("p1 +processor +h:2 .* leaving")
                .containsPattern("p2 +processor +h:3 .* excluded: it lacks plugin hello 1.0 \\(ab\\)")
                .containsPattern("8 +55 +1 +1/2 +1")
                .contains("Committed up to cycle 7: 100 points = 90 aggregated + 4 late + 3 rejected + 3 filtered;"
                        + " 12 rows. Unaccounted: 0.")
                .containsPattern("r-1 +all +3 +6 +2/4 +1 +30");
    }

    @Test
    void givesTheStatusAsJson() {
        Invocation json = Invocation.of("cluster", "status", "--json", "--http", address);

        assertThat(Json.read("status", json.out()).at("/totals/aggregated").asLong())
                .isEqualTo(90);
        assertThat(Json.read("status", json.out())
                        .at("/committed/0/commit_latency_ms")
                        .asLong())
                .isEqualTo(42);
        assertThat(Json.read("status", json.out()).at("/dead/0/id").asText()).isEqualTo("q2");
        assertThat(Json.read("status", json.out()).at("/alarms/1").asText()).isEqualTo("No lane 1.");
    }

    @Test
    void tellsInTheTableWhatStateIsBuiltAnew() {
        Invocation table = Invocation.of("top", "--once", "--keys", "0", "--http", address);

        assertThat(table.out())
                .contains("rebuilding on p1: 12 partitions of calls, 40 past cycles done, 80 left, for 3.3 s");
        assertThat(Json.read(
                                "top",
                                Invocation.of("top", "--once", "--json", "--http", address)
                                        .out())
                        .at("/rebuilding/0/cycles_left")
                        .asLong())
                .isEqualTo(80);
    }

    @Test
    void looksOnceAtAllMembers() {
        Invocation top = Invocation.of("top", "--once", "--json", "--http", address);

        var figures = Json.read("top", top.out());
        assertThat(figures.path("points_in").asLong()).isEqualTo(1_500_000);
        assertThat(figures.path("points_journaled").asLong()).isEqualTo(1_400_000);
        assertThat(figures.path("points_forwarded").asLong()).isEqualTo(7);
        assertThat(figures.path("points_staged").asLong()).isEqualTo(6);
        assertThat(figures.path("rows_flushed").asLong()).isEqualTo(5);
        assertThat(figures.path("processors").asLong()).isEqualTo(2);
        assertThat(figures.path("commit_latency_ms").asLong()).isEqualTo(42);
        assertThat(figures.path("account_rows").asLong()).isEqualTo(12);
        assertThat(figures.path("shard_skew").asDouble()).isEqualTo(1.5);
        assertThat(figures.at("/heaviest/0/key").asText()).isEqualTo("cpu{host=a}");
        assertThat(figures.at("/heaviest/0/percent").asDouble()).isEqualTo(75);
    }

    @Test
    void looksOnceAsATable() {
        Invocation top = Invocation.of("top", "--once", "--http", address);

        assertThat(top.out().lines()).hasSize(5);
        assertThat(top.out())
                .containsPattern(" 7 +1 +1/2 +1500000 +- +0 +1400000 +7 +6 +5 +42 +1\\.50 +3 cycles are open")
                .containsPattern("\n +30 values +75\\.0 % +all cpu\\{host=a}\n +4 values +10\\.0 %");
    }

    @Test
    void showsAsManyOfTheHeaviestKeysAsAreWanted() {
        assertThat(Invocation.of("top", "--once", "--keys", "1", "--http", address)
                        .out()
                        .lines())
                .hasSize(4);
        assertThat(Invocation.of("top", "--once", "--keys", "0", "--http", address)
                        .out()
                        .lines())
                .hasSize(3);
    }

    @Test
    void saysThatTheNodeIsNoCoordinator() {
        server.removeContext("/status");
        page("/status", "{\"nodes\":[{\"role\":\"queue\"}]}");

        Invocation wrong = Invocation.of("top", "--once", "--http", address);

        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err()).contains("is no coordinator; select one with --http");
    }
}
