package io.chimera.node.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.node.Json;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class NodeHttpTest {
    private final List<String> reasons = new ArrayList<>();
    private final CountDownLatch tapOpens = new CountDownLatch(1);
    private final Metrics metrics = new Metrics("q1");
    private final NodeHttp http = new NodeHttp();
    private final HttpClient client = HttpClient.newHttpClient();
    private ChannelThreads threads;
    private NettyListeners listeners;
    private Endpoint address;

    private final NodeFace face = new NodeFace() {
        @Override
        public String role() {
            return "queue";
        }

        @Override
        public String id() {
            return "q1";
        }

        @Override
        public List<String> notReady() {
            return List.copyOf(reasons);
        }

        @Override
        public Metrics metrics() {
            return metrics;
        }

        @Override
        public Object status() {
            return Map.of("journal_bytes", 17);
        }

        @Override
        public Map<String, Tap> taps() {
            return Map.of(
                    "journal",
                    limit -> IntStream.rangeClosed(1, Math.min(limit, 3))
                            .mapToObj(i -> "line " + i)
                            .toList(),
                    "broken",
                    limit -> {
                        throw new IllegalStateException("disk");
                    },
                    "slow",
                    limit -> {
                        awaitTap();
                        return List.of();
                    });
        }
    };

    @BeforeEach
    void listen() {
        threads = new ChannelThreads("test");
        listeners = new NettyListeners(threads, new Counters<>(ChannelCounter.class), error -> {
            throw new AssertionError(error);
        });
        address = http.listen(listeners, new Endpoint("127.0.0.1", 0));
    }

    @AfterEach
    void close() {
        tapOpens.countDown();
        http.close();
        listeners.close();
        threads.close();
    }

    @Test
    void takesCommandsOnlyFromProgramsOnThisMachine() {
        List<String> ran = new ArrayList<>();
        http.take("drain", parameters -> {
            ran.add("drain");
            return "Drained.";
        });
        MemoryExchange remote = new MemoryExchange("POST", "/-/drain").from("10.0.0.9");
        MemoryExchange page = new MemoryExchange("POST", "/-/drain").header("origin", "http://evil.example");

        assertThat(http.admit(remote).status()).isEqualTo(403);
        assertThat(http.admit(page).status()).isEqualTo(403);
        assertThat(ran).isEmpty();
        assertThat(http.admit(new MemoryExchange("GET", "/status").from("10.0.0.9")))
                .isNull();
        assertThat(http.admit(new MemoryExchange("POST", "/-/drain"))).isNull();
    }

    @Test
    void answersOnLoopbackOnlyUnderItsOwnNames() throws IOException {
        http.show(face);
        for (String path : List.of("/status", "/metrics", "/health/ready", "/tap?stage=journal")) {
            assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: evil.example:" + address.port() + "\r\n"))
                    .as(path)
                    .startsWith("HTTP/1.1 421 ")
                    .contains("node.host");
        }
        assertThat(raw("GET /status HTTP/1.1\r\nHost: localhost:" + address.port() + "\r\n"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(raw("GET /status HTTP/1.0\r\n")).contains(" 200 ");
    }

    private String raw(String head) throws IOException {
        try (Socket socket = new Socket(address.host(), address.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write((head + "Connection: close\r\n\r\n").getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void isAliveButNotReadyBeforeItsNodeRuns() throws Exception {
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        HttpResponse<String> ready = get("/health/ready");

        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.headers().firstValue("Retry-After")).contains("1");
        assertThat(Json.read("ready", ready.body()).at("/reasons/0").asText()).contains("starting");
    }

    @Test
    void tellsWhyItIsNotReady() throws Exception {
        http.show(face);
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);

        reasons.add("The journal is full.");
        HttpResponse<String> full = get("/health/ready");
        assertThat(full.statusCode()).isEqualTo(503);
        assertThat(Json.read("ready", full.body()).at("/nodes/0/reasons/0").asText())
                .isEqualTo("The journal is full.");

        reasons.clear();
        http.hide(face);
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    }

    @Test
    void isNotReadyWhileOneOfSeveralNodesIsNot() throws Exception {
        http.show(face);
        http.show(new MemberFaceFor("p1", List.of("No store.")));

        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    }

    @Test
    void servesMetricsAsPrometheusReadsThem() throws Exception {
        Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
        metrics.register("queue", counters);
        counters.add(QueueCounter.PARSER_POINTS, 5);
        http.show(face);

        HttpResponse<String> answer = get("/metrics");

        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        assertThat(answer.body()).contains("chimera_parser_points_total{component=\"queue\",node=\"q1\"} 5.0\n");
    }

    @Test
    void servesStatus() throws Exception {
        http.show(face);

        var node = Json.read("status", get("/status").body()).at("/nodes/0");

        assertThat(node.path("role").asText()).isEqualTo("queue");
        assertThat(node.at("/status/journal_bytes").asInt()).isEqualTo(17);
    }

    @Test
    void taps() throws Exception {
        http.show(face);

        assertThat(get("/tap?stage=journal&limit=2").body()).isEqualTo("line 1\nline 2\n");
        assertThat(get("/tap?stage=journal&limit=x").body().lines()).hasSize(3);
        assertThat(get("/tap?stage=nowhere").statusCode()).isEqualTo(404);
        assertThat(get("/tap?stage=nowhere").body()).contains("\"stages\":[\"broken\",\"journal\",\"slow\"]");
        assertThat(get("/tap").body()).contains("Missing parameter stage");
        assertThat(get("/tap?stage=broken").statusCode()).isEqualTo(500);
    }

    @Test
    void tellsWhatThereIsInsteadOfWhatThereIsNot() throws Exception {
        HttpResponse<String> missing = get("/nothing");

        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body()).contains("There is no /nothing here.").contains("/health/ready");
    }

    @Test
    void refusesWhatIsNoQuestion() throws Exception {
        HttpRequest post = HttpRequest.newBuilder(uri("/status"))
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();

        assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(405);
    }

    @Test
    void staysAliveWhileASlowAnswerBlocksTheOthers() throws Exception {
        http.show(face);
        var slow = client.sendAsync(
                HttpRequest.newBuilder(uri("/tap?stage=slow")).build(), HttpResponse.BodyHandlers.ofString());

        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(slow).isNotDone();
        tapOpens.countDown();
        assertThat(slow.get().statusCode()).isEqualTo(200);
    }

    private void awaitTap() {
        try {
            tapOpens.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aPageAnswersWhatIsPostedToItsPath() throws Exception {
        http.serve("/query", exchange -> {
            exchange.respond(200, "text/plain", new String(exchange.body(), 0, exchange.bodyLength(), UTF_8));
            return true;
        });
        HttpRequest post = HttpRequest.newBuilder(uri("/query"))
                .POST(HttpRequest.BodyPublishers.ofString("tcp port 80"))
                .build();

        assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).body())
                .isEqualTo("tcp port 80");
        assertThat(get("/query").statusCode()).isEqualTo(405);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://" + address + path);
    }

    private record MemberFaceFor(String id, List<String> notReady) implements NodeFace {
        @Override
        public String role() {
            return "processor";
        }

        @Override
        public Metrics metrics() {
            return new Metrics(id);
        }

        @Override
        public Object status() {
            return Map.of();
        }
    }
}
