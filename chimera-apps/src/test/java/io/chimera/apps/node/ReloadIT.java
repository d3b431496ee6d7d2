package io.chimera.apps.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.chimera.apps.node.watch.NodeClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A block is added to a cluster of processes while points come in. */
@Tag("it")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ReloadIT {
    private final List<Process> processes = new ArrayList<>();
    private final NodeClient client = new NodeClient();

    /** Counts of points by metric, then by the time of their cycle. */
    private final ConcurrentHashMap<String, SortedMap<Long, Long>> rows = new ConcurrentHashMap<>();

    private HttpServer store;
    private int sent;

    @TempDir
    Path folder;

    @BeforeEach
    void openStore() throws IOException {
        store = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        store.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (exchange.getRequestMethod().equals("POST")) {
                Json.read("the store", body).forEach(this::take);
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        store.start();
    }

    private void take(JsonNode series) {
        SortedMap<Long, Long> byTime =
                rows.computeIfAbsent(series.path("name").asText(), name -> new ConcurrentSkipListMap<>());
        if (series.has("timestamp")) {
            byTime.put(series.path("timestamp").asLong(), series.path("value").asLong());
        }
        series.path("datapoints")
                .forEach(point -> byTime.put(point.get(0).asLong(), point.get(1).asLong()));
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        store.stop(0);
    }

    @Test
    void addsABlockAtACycleBoundaryWithoutLosingAPoint() throws Exception {
        String input = freeAddress();
        String zooKeeper = freeAddress();
        String base =
                """
                coordinator: { connect: "%s", embedded: { address: "%s" } }
                cycle: { every: 500ms }
                queue: { address: "127.0.0.1:0", journal: { max_bytes: 256MiB, reserve: 1MiB } }
                processor: { address: "127.0.0.1:0" }
                inputs: { influx: { http: "%s" } }
                stores: { k: { url: "http://127.0.0.1:%d", gzip: false } }
                pipelines:
                  all: { where: cpu, stores: k, aggregate: { functions: count } }
                """.formatted(zooKeeper, zooKeeper, input, store.getAddress().getPort());
        String block = """
                  again:
                    where: cpu
                    stores: k
                    aggregate: { functions: count }
                    before: { blocks: { other: { type: rename, metric: { cpu: twice } } } }
                """.indent(2);
        Path file = Files.writeString(folder.resolve("chimera.yaml"), base);
        List<String> nodes = new ArrayList<>();
        for (String role : List.of("coordinator", "queue", "processor")) {
            nodes.add(freeAddress());
            start(role, file, nodes.get(nodes.size() - 1));
        }
        for (String node : nodes) {
            await().atMost(Duration.ofSeconds(60)).until(() -> client.isReady(node));
        }
        sendUntil(input, () -> points("cpu.value.count") > 0);

        Files.writeString(file, base.replace("functions: count", "functions: no_such"));
        assertThat(reload(nodes.get(1)).body()).contains("no_such");
        Files.writeString(file, base.replace("500ms", "700ms"));
        assertThat(reload(nodes.get(1)).body()).contains("cycle.every");
        Files.writeString(file, base + block);
        assertThat(reload(nodes.get(0)).statusCode()).isEqualTo(200);
        assertThat(reload(nodes.get(1)).statusCode()).isEqualTo(200);
        int before = sent;
        sendUntil(input, () -> sent > before + 20);
        Invocation status = Invocation.of("cluster", "status", "--http", nodes.get(0));
        assertThat(status.out()).contains("waits for").contains("processor");
        assertThat(rows).doesNotContainKey("twice.value.count");

        assertThat(reload(nodes.get(2)).statusCode()).isEqualTo(200);
        sendUntil(input, () -> points("twice.value.count") > 0);
        int after = sent;
        sendUntil(input, () -> sent > after + 20);
        await().atMost(Duration.ofSeconds(30)).until(() -> points("cpu.value.count") == sent);

        SortedMap<Long, Long> all = rows.get("cpu.value.count");
        SortedMap<Long, Long> twice = rows.get("twice.value.count");
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(twice)
                .as("from one cycle on all that is in the old pipeline, too")
                .isEqualTo(all.tailMap(twice.firstKey())));
        assertThat(all.headMap(twice.firstKey())).isNotEmpty();
    }

    private long points(String metric) {
        return rows.getOrDefault(metric, new ConcurrentSkipListMap<>()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private void sendUntil(String input, Callable<Boolean> isEnough) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + input + "/write"))
                            .POST(HttpRequest.BodyPublishers.ofString("cpu,host=a value=1\n"))
                            .build();
                    HttpResponse<String> answer =
                            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
                    assertThat(answer.statusCode()).isEqualTo(204);
                    sent++;
                    return isEnough.call();
                });
    }

    private static HttpResponse<String> reload(String node) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + node + "/-/reload"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private void start(String role, Path file, String http) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("run", role, "-c", file.toString()));
        for (String setting : List.of(
                "node.http=" + http,
                "node.id=" + role,
                "node.host=127.0.0.1",
                "node.data_dir=" + folder.resolve(role))) {
            arguments.addAll(List.of("--set", setting));
        }
        processes.add(new ProcessBuilder(ChimeraHome.find().nodeCommand(List.of("-Xmx256m"), arguments))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(role + ".log").toFile())
                .start());
    }

    private static String freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }
}
