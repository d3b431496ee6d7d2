package io.chimera.node.demo;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.chimera.dataset.source.ServerProcess;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Json;
import io.chimera.node.child.KairosReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Unmodified clients of Prometheus remote write send to a cluster of real processes, and the aggregates are read back
 * from KairosDB. Independent of the division into cycles, count and sum over all rows match the sent samples.
 */
class RemoteWriteIT {
    /** Scrapes of Prometheus with the observed series; later scrapes lack the series, so a stale marker follows. */
    private static final int SCRAPES = 20;

    private static final int SAMPLES = 1_000;

    @TempDir
    private static Path folder;

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static DemoCluster cluster;

    @BeforeAll
    static void start() throws InterruptedException {
        cluster = new DemoCluster(ChimeraHome.find(), folder, "1s", DemoCluster.QUEUES, Optional.empty());
        cluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static String inputOf(String node) {
        return "http://" + cluster.address(node, "inputs.prometheus.http") + "/api/v1/write";
    }

    private static String get(String url) throws IOException, InterruptedException {
        return HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString(UTF_8))
                .body();
    }

    /** Serves a counter and a gauge, for a limited number of scrapes. */
    private static HttpServer target() throws IOException {
        AtomicInteger scrapes = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            int scrape = scrapes.getAndIncrement();
            String text = scrape >= SCRAPES
                    ? "# no more\n"
                    : "# TYPE it_requests_total counter\nit_requests_total{host=\"h1\"} " + 1000 * scrape
                            + "\n# TYPE it_degrees gauge\nit_degrees{host=\"h1\",zone=\"eu\"} " + (scrape - 0.5)
                            + "\n# TYPE it_nan gauge\nit_nan{host=\"h1\"} NaN\n";
            byte[] bytes = text.getBytes(UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** The samples in the database of Prometheus are the samples that Prometheus sends. */
    @Test
    void storesTheSamplesThatPrometheusHas() throws Exception {
        String program = ServerProcess.program("prometheus", "prometheus");
        HttpServer target = target();
        int port = ServerProcess.freePort();
        Path own = Files.createDirectories(folder.resolve("prometheus"));
        Path file = Files.writeString(own.resolve("prometheus.yml"), """
                global: { scrape_interval: 500ms, scrape_timeout: 500ms }
                remote_write:
                  - url: %s
                    queue_config: { batch_send_deadline: 500ms, min_shards: 1, max_shards: 1 }
                scrape_configs:
                  - job_name: it
                    static_configs: [{ targets: ["127.0.0.1:%d"] }]
                """.formatted(
                        inputOf("q1"), target.getAddress().getPort()));
        try (ServerProcess prometheus = ServerProcess.start(
                own,
                List.of(
                        program,
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + own.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port))) {
            String api = "http://127.0.0.1:" + port + "/api/v1/query?query=";
            await().pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
                prometheus.saidAlive();
                assertThat(valuesIn(api, "it_degrees[1h]")).isNotEmpty();
                assertThat(valuesIn(api, "it_degrees"))
                        .as("the series has ended")
                        .isEmpty();
            });
            List<Double> degrees = valuesIn(api, "it_degrees[1h]");

            assertStored("it_degrees.value", Map.of("host", "h1", "zone", "eu", "job", "it"), degrees);
            assertStored(
                    "it_requests_total.total",
                    Map.of("host", "h1", "job", "it"),
                    valuesIn(api, "it_requests_total[1h]"));
            assertThat(stored("it_nan.value.count", Map.of("host", "h1"))).isEmpty();
            assertThat(get("http://" + cluster.address("q1", "node.http") + "/metrics"))
                    .containsPattern("chimera_remote_write_stale_markers_total(\\{[^}]*})? [1-9]")
                    .containsPattern("chimera_remote_write_values_not_finite_total(\\{[^}]*})? [1-9]");
        } finally {
            target.stop(0);
        }
    }

    private static List<Double> valuesIn(String api, String query) throws IOException, InterruptedException {
        JsonNode answer = Json.read("Prometheus", get(api + URLEncoder.encode(query, UTF_8)));
        List<Double> values = new ArrayList<>();
        for (JsonNode series : answer.at("/data/result")) {
            if (series.has("value")) {
                values.add(Double.parseDouble(series.at("/value/1").asText()));
            }
            for (JsonNode pair : series.path("values")) {
                values.add(Double.parseDouble(pair.get(1).asText()));
            }
        }
        return values;
    }

    /** vmagent takes samples over HTTP and sends them on by remote write. */
    @Test
    void storesTheSamplesThatVmagentForwards() throws Exception {
        String program = ServerProcess.program("vmagent", "victoria-metrics");
        int port = ServerProcess.freePort();
        Path own = Files.createDirectories(folder.resolve("vmagent"));
        long now = System.currentTimeMillis();
        List<Double> sent = new ArrayList<>();
        StringBuilder values = new StringBuilder();
        StringBuilder times = new StringBuilder();
        for (int i = 0; i < SAMPLES; i++) {
            sent.add(i * 0.25);
            values.append(i == 0 ? "" : ",").append(i * 0.25);
            times.append(i == 0 ? "" : ",").append(now + i);
        }
        String line = "{\"metric\":{\"__name__\":\"it_agent\",\"host\":\"h1\"},\"values\":[" + values
                + "],\"timestamps\":[" + times + "]}\n";
        try (ServerProcess agent = ServerProcess.start(
                own,
                List.of(
                        program,
                        "-remoteWrite.url=" + inputOf("q2"),
                        "-remoteWrite.tmpDataPath=" + own.resolve("data"),
                        "-httpListenAddr=127.0.0.1:" + port))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/import"))
                    .POST(HttpRequest.BodyPublishers.ofString(line))
                    .build();
            await().pollInterval(Duration.ofMillis(500)).ignoreExceptions().untilAsserted(() -> {
                assertThat(get("http://127.0.0.1:" + port + "/health")).contains("OK");
            });
            assertThat(HTTP.send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .as(agent::saidAlive)
                    .isEqualTo(204);

            assertStored("it_agent.value", Map.of("host", "h1"), sent);
        }
    }

    private static void assertStored(String field, Map<String, String> tags, List<Double> sent)
            throws InterruptedException {
        await(field).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> assertThat(sum(field + ".count", tags))
                .isEqualTo(sent.size()));
        assertThat(sum(field + ".sum", tags))
                .isEqualTo(sent.stream().mapToDouble(value -> value).sum());
        assertThat(stored(field + ".max", tags).stream()
                        .mapToDouble(row -> row[1])
                        .max())
                .hasValue(sent.stream().mapToDouble(value -> value).max().orElseThrow());
    }

    private static double sum(String metric, Map<String, String> tags) throws InterruptedException {
        return stored(metric, tags).stream().mapToDouble(row -> row[1]).sum();
    }

    /** Returns the rows of one output series as pairs of time and value. */
    private static List<double[]> stored(String metric, Map<String, String> tags) throws InterruptedException {
        long now = System.currentTimeMillis();
        long hourMs = Duration.ofHours(1).toMillis();
        return new KairosReader(cluster.kairos()).series(metric, tags, now - hourMs, now + hourMs);
    }
}
