package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.wire.PointBytes;
import io.chimera.processor.store.kairosdb.KairosDbStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A processor with the client of KairosDB, against a server that refuses rows or fails to write rows. */
final class KairosDbRefusalTest {
    private static final String PROBE = "chimera.probe";

    @TempDir
    private Path folder;

    private final ObjectMapper json = new ObjectMapper();
    private final TreeSet<String> stored = new TreeSet<>();

    /** Returns the status of the answer to a request with the given metrics. */
    private volatile ToIntFunction<List<String>> answers = metrics -> 204;

    private HttpServer server;
    private ProcessorRig rig;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        KairosDbStore store = new KairosDbStore(
                "http://127.0.0.1:" + server.getAddress().getPort(), 10_000, Duration.ofSeconds(30), false);
        rig = new ProcessorRig(
                folder,
                ProcessorRig.CONFIG,
                ProcessorRig.pipeline(ProcessorRig.functions("sum")),
                PluginHost.ofClassPath(),
                Map.of("memory", store));
    }

    @AfterEach
    void close() {
        rig.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        List<String> metrics = new ArrayList<>();
        if (exchange.getRequestMethod().equals("POST")) {
            for (JsonNode metric : json.readTree(body)) {
                metrics.add(metric.get("name").asText());
            }
        }
        int status = answers.applyAsInt(metrics);
        if (status == 204) {
            stored.addAll(metrics);
        }
        byte[] words = status == 204 ? new byte[0] : "{\"errors\":[\"no\"]}".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, status == 204 ? -1 : words.length);
        exchange.getResponseBody().write(words);
        exchange.close();
    }

    private void send(int groups) {
        QueueNodeFake queue = rig.queue(1);
        rig.begin(1, queue);
        List<PointBytes> points = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            points.add(Records.of("m" + i, Map.of("host", "h" + i), Map.of("x", 1.0), timeNs(1)));
        }
        queue.send(1, 0, 0, points);
        rig.run();
    }

    private List<String> letters() throws IOException {
        Path file = folder.resolve("dead-letter-rows.jsonl");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    @Test
    void badRequestToEverythingIsAnOutage() throws IOException {
        answers = metrics -> 400;
        send(40);
        rig.run(Duration.ofSeconds(10));
        assertThat(rig.commit(1, 0)).isNull();
        assertThat(letters()).isEmpty();
        assertThat(rig.node.status().storeOutage())
                .hasValueSatisfying(text -> assertThat(text).contains("known-good", "answered 400"));

        answers = metrics -> 204;
        rig.run(Duration.ofSeconds(5));
        assertThat(rig.commit(1, 0).rows()).isEqualTo(40);
        assertThat(letters()).isEmpty();
        assertThat(stored).hasSize(40);
        assertThat(rig.node.status().storeOutage()).isEmpty();
    }

    @Test
    void badRequestToSomeRowsCostsThese() throws IOException {
        answers = metrics -> metrics.contains("m3.x.sum") || metrics.contains("m30.x.sum") ? 400 : 204;
        send(40);
        rig.run(Duration.ofSeconds(8));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(38);
        assertThat(letters()).hasSize(2);
        assertThat(stored).hasSize(39).contains(PROBE).doesNotContain("m3.x.sum", "m30.x.sum");
    }

    @Test
    void badRequestToHalfOfTheRowsIsAnOutage() throws IOException {
        answers = metrics -> metrics.stream().anyMatch(name -> name.startsWith("m1")) ? 400 : 204;
        send(20);
        rig.run(Duration.ofSeconds(15));
        assertThat(rig.commit(1, 0)).isNull();
        assertThat(letters()).isEmpty();
        assertThat(rig.node.status().storeOutage())
                .hasValueSatisfying(text -> assertThat(text).contains("11 of 20 rows", "refused_max"));

        answers = metrics -> 204;
        rig.run(Duration.ofSeconds(8));
        assertThat(rig.commit(1, 0).rows()).isEqualTo(20);
        assertThat(letters()).isEmpty();
    }

    @Test
    void aKeyAtWhichTheServerFailsIsPoison() throws IOException {
        answers = metrics -> metrics.contains("m7.x.sum") ? 500 : 204;
        send(40);
        rig.run(Duration.ofSeconds(10));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(39);
        assertThat(letters()).singleElement().asString().contains("m7.x.sum", "answered 500");
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_POISONED)).isEqualTo(1);
        assertThat(rig.node.status().storeOutage()).isEmpty();
    }

    @Test
    void errorsForEverythingAreAnOutage() throws IOException {
        answers = metrics -> 500;
        send(40);
        rig.run(Duration.ofSeconds(10));
        assertThat(rig.commit(1, 0)).isNull();
        assertThat(letters()).isEmpty();

        answers = metrics -> 204;
        rig.run(Duration.ofSeconds(5));
        assertThat(rig.commit(1, 0).rows()).isEqualTo(40);
    }
}
