package io.chimera.node.archive;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.archive.server.QueryService;
import io.chimera.common.agent.Waits;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.node.launch.ProcessorCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive as the store of a pipeline, with real processes; processors are killed with SIGKILL during writes. No
 * point is lost or counted twice, neither in answers of the processors nor in answers from their volumes.
 */
@Tag("it")
final class ArchiveStoreIT {
    private static final int BATCHES = 24;
    private static final int BATCH = 1_000;
    private static final int HOSTS = 300;
    private static final List<String> PROCESSORS = List.of("p1", "p2");
    private static final String PIPELINES = """
        all: { aggregate: { by: [host], functions: [count, sum] }, stores: [past], delivery: exactly_once }
        """;
    private static final String STORES = "past: { type: archive, archive: { size: 64MiB } }";

    @TempDir
    Path folder;

    private record Found(String written, double value) {}

    @Test
    void nothingIsLostOrDoubledThoughProcessorsAreKilled() throws Exception {
        List<String> batches = new ArrayList<>();
        double sum = batches(batches);
        Map<String, Map<String, Found>> answers = new TreeMap<>();
        try (ProcessorCluster run = new ProcessorCluster(folder, PIPELINES, STORES)) {
            run.start();
            for (int i = 0; i < 4; i++) {
                String victim = PROCESSORS.get(i % 2);
                List<String> some = batches.subList(i * BATCHES / 4, (i + 1) * BATCHES / 4);
                double before = run.metric(victim, "chimera_archive_points_total");
                CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(run, some));
                await().until(() -> run.metric(victim, "chimera_archive_points_total") > before);
                run.kill(victim);
                run.startAgain(victim);
                sent.get(Waits.SECONDS_MAX, TimeUnit.SECONDS);
            }
            run.awaitAll((long) BATCHES * BATCH);
            for (String id : PROCESSORS) {
                answers.put(id, ask("--http", run.http(id)));
            }
            Map<String, Found> all = ask("--cluster", run.zooKeeper());
            assertThat(total(Map.of("all", all), "load.value.count")).isEqualTo((double) BATCHES * BATCH);
            assertThat(total(Map.of("all", all), "load.value.sum")).isEqualTo(sum);
            assertThat(overHttp(run.http("p1")))
                    .contains("\"points\":" + all.size())
                    .contains("\"nodes_asked\":2");
            run.kill("p2");
            Invocation halved =
                    Invocation.of("archive", "query", "--cluster", run.zooKeeper(), "--count", "metric!=none");
            assertThat(halved.exitCode()).isOne();
            assertThat(halved.err()).contains("Archive node p2 did not answer");
            run.startAgain("p2");
            run.stop();
            for (String id : PROCESSORS) {
                String volume = run.folder(id).resolve("points.volume").toString();
                assertThat(ask("--in", volume)).isEqualTo(answers.get(id));
                assertThat(Invocation.of("archive", "check", volume).out()).contains("not damaged", " points, ");
                assertThat(Invocation.of("archive", "dump", volume, "--stream", "points")
                                .out())
                        .contains(" points since ");
            }
        }
        assertThat(total(answers, "load.value.count")).isEqualTo((double) BATCHES * BATCH);
        assertThat(total(answers, "load.value.sum")).isEqualTo(sum);
    }

    /** Queries the whole cluster through any of its nodes. */
    private static String overHttp(String http) throws IOException, InterruptedException {
        URI address = URI.create("http://" + http + QueryService.PATH + "?scope=cluster&format=count");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(address)
                                .POST(BodyPublishers.ofString("metric!=none"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private static void send(ProcessorCluster run, List<String> batches) {
        try {
            run.send(batches);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the rows by their identity; each is present once. */
    private static Map<String, Found> ask(String option, String value) {
        Invocation answer = Invocation.of("archive", "query", option, value, "--json", "metric!=none");
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        Map<String, Found> rows = new TreeMap<>();
        for (String line : answer.out().lines().toList()) {
            JsonNode row = Json.read(line, line);
            if (row.has("metric")) {
                String key = row.path("metric").asText()
                        + row.path("tags")
                        + row.path("time").asText()
                        + row.path("type").asText();
                Found found = new Found(
                        row.path("written").asText(), row.path("value").asDouble());
                assertThat(rows.put(key, found)).as("the row before " + line).isNull();
            }
        }
        return rows;
    }

    /** Sums the rows. A cycle repeated by another processor is in two volumes; the last write counts. */
    private static double total(Map<String, Map<String, Found>> answers, String metric) {
        Map<String, Found> merged = new TreeMap<>();
        answers.values()
                .forEach(rows -> rows.forEach((key, found) -> merged.merge(
                        key, found, (one, other) -> one.written.compareTo(other.written) > 0 ? one : other)));
        return merged.entrySet().stream()
                .filter(row -> row.getKey().startsWith(metric + "{"))
                .mapToDouble(row -> row.getValue().value)
                .sum();
    }

    private static double batches(List<String> into) {
        Random random = new Random(20261122);
        double sum = 0;
        for (int batch = 0; batch < BATCHES; batch++) {
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < BATCH; i++) {
                int value = random.nextInt(1_000);
                sum += value;
                lines.append("load,host=h" + random.nextInt(HOSTS) + ",zone=z value=" + value + "\n");
            }
            into.add(lines.toString());
        }
        return sum;
    }
}
