package io.chimera.node.replay;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.agent.Waits;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.node.child.FreePorts;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backfill by a user: pipelines change, nodes restart, and past cycles are replayed during live traffic. */
@Tag("it")
final class ReplayIT {
    private static final int REQUESTS = 6;
    private static final int POINTS = 20;

    private final NodeClient client = new NodeClient();
    private final HttpClient http = HttpClient.newHttpClient();
    private final String node = freeAddress();
    private final String input = freeAddress();
    private final String zooKeeper = freeAddress();
    private final RowCatcher store = new RowCatcher();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicLong liveSent = new AtomicLong();
    private Process process;

    @TempDir
    Path folder;

    ReplayIT() throws IOException {}

    @AfterEach
    void stop() throws InterruptedException {
        isOver.set(true);
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
        store.close();
    }

    @Test
    void runsPastCyclesThroughAChangedPipelineBesideLiveTraffic() throws Exception {
        Path before = configuration("before.yaml", "count");
        start(before);
        sendPast();
        SortedMap<String, Double> counts = some("past.value.count");
        assertThat(some("past.value.sum")).isEmpty();
        process.destroy();
        assertThat(process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();

        Path after = configuration("after.yaml", "count, sum");
        start(after);
        String last = status().path("last_cycle").asText();
        int writes = store.writes();
        JsonNode plan = replay(0, after, "--from", "1", "--to", last, "--dry-run", "--json");
        assertThat(plan.path("points").asLong()).isEqualTo(REQUESTS * POINTS);
        assertThat(plan.path("pipelines").toString()).isEqualTo("[\"all\",\"other\"]");
        assertThat(store.writes()).as("a dry run writes nothing").isEqualTo(writes);
        assertThat(status().path("replays")).isEmpty();

        Thread live = new Thread(this::sendUntilOver, "live");
        live.start();
        JsonNode done = replay(0, after, "--from", "1", "--to", last, "--wait", "--json");

        assertThat(done.path("replayed").asInt()).isEqualTo(plan.path("cycles").asInt());
        assertThat(done.path("skipped").asInt()).isZero();
        assertThat(done.path("unaccounted").asLong()).isZero();
        assertThat(done.path("accounts").path("points").asLong()).isEqualTo(REQUESTS * POINTS);
        assertThat(some("past.value.count")).as("overwritten, not added").isEqualTo(counts);
        SortedMap<String, Double> sums = some("past.value.sum");
        assertThat(total(sums, "past.value.sum")).isEqualTo(POINTS * REQUESTS * (REQUESTS - 1) / 2.0);
        assertThat(sums.keySet().stream().map(row -> row.replace(".sum", ".count")))
                .as("the times of then")
                .containsExactlyElementsOf(counts.keySet());

        writes = store.writes();
        JsonNode again = replay(0, after, "--from", "1", "--to", last, "--pipeline", "all", "--wait", "--json");
        assertThat(again.path("accounts").path("aggregated").asLong()).isEqualTo(REQUESTS * POINTS);
        assertThat(store.writes()).isGreaterThan(writes);
        assertThat(some("past.")).as("once more").isEqualTo(joined(counts, sums));

        isOver.set(true);
        live.join();
        await().untilAsserted(() -> {
            assertThat(total(store.rows(), "live.value.count")).isEqualTo((double) liveSent.get());
            assertThat(status().path("totals").path("points").asLong())
                    .as("replays are not in the totals")
                    .isEqualTo(REQUESTS * POINTS + liveSent.get());
        });
        assertThat(status().path("unaccounted").asLong()).isZero();
        assertThat(status().path("replayed").path("points").asLong()).isEqualTo(2 * REQUESTS * POINTS);
        assertThat(Invocation.of("cluster", "status", "--http", node).out()).contains("REPLAY");
    }

    @Test
    void runsCyclesAgainThatOnlyTheArchiveOfTheJournalHas() throws Exception {
        String archive = ", archive: { size: 64MiB }";
        Path before = configuration("forgetting.yaml", "count", ", roll: 1s, retain_for: 0ms" + archive);
        start(before);
        sendPast();
        long last = status().path("last_cycle").asLong();
        Thread live = new Thread(this::sendUntilOver, "live");
        live.start(); // new files evict the old files
        await().until(() ->
                client.get("http://" + node + "/cycles?from=1&to=" + last).contains("\"cycles\":[]"));
        isOver.set(true);
        live.join();
        String to = Long.toString(last);
        Invocation gone = Invocation.of("replay", "-c", before.toString(), "--from", "1", "--to", to);
        assertThat(gone.err()).contains("No journal holds a committed cycle");
        await().until(() -> total(store.rows(), "live.value.count") == liveSent.get());
        process.destroy();
        assertThat(process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();

        String data = folder.resolve("data/queue").toString();
        Invocation restored =
                Invocation.of("journal", "restore", data, "--in", data + "/journal.volume", "--after", "1h ago");
        assertThat(restored.exitCode()).as(restored.err()).isZero();
        Path after = configuration("restored.yaml", "count, sum", archive);
        start(after);
        JsonNode done = replay(0, after, "--from", "1", "--to", to, "--wait", "--json");
        assertThat(done.path("skipped").asInt()).isZero();
        assertThat(done.path("accounts").path("points").asLong()).isEqualTo(REQUESTS * POINTS);
        assertThat(total(some("past.value.sum"), "past.value.sum")).isEqualTo(POINTS * REQUESTS * (REQUESTS - 1) / 2.0);
        assertThat(total(store.rows(), "past.value.count")).isEqualTo((double) REQUESTS * POINTS);
        assertThat(total(store.rows(), "live.value.count")).isEqualTo((double) liveSent.get());
        assertThat(status().path("totals").path("points").asLong())
                .as("nothing that was put back is taken for new")
                .isEqualTo(REQUESTS * POINTS + liveSent.get());
        assertThat(status().path("unaccounted").asLong()).isZero();
    }

    @Test
    void refusesWhatNoJournalHoldsAndWhatMakesNoSense() throws Exception {
        Path file = configuration("node.yaml", "count");
        start(file);
        write("past,host=h0 value=1\n");
        await().until(() -> status().path("last_cycle").asLong() == 1);

        Invocation future = Invocation.of("replay", "-c", file.toString(), "--from", "7");
        assertThat(future.exitCode()).isEqualTo(1);
        assertThat(future.err()).contains("No journal holds a committed cycle", "retain_for");
        Invocation pipeline = Invocation.of("replay", "-c", file.toString(), "--from", "1", "--pipeline", "nope");
        assertThat(pipeline.exitCode()).isEqualTo(2);
        assertThat(pipeline.err()).contains("There is no pipeline 'nope'; expected all, other.");
        Invocation cancel = Invocation.of("replay", "-c", file.toString(), "--cancel", "nope");
        assertThat(cancel.exitCode()).isEqualTo(1);
        assertThat(cancel.err()).contains("There is no unfinished replay 'nope'");
        assertThat(client.get("http://" + node + "/cycles?from=1&to=1"))
                .contains("\"cycle\":1,")
                .contains("\"points\":1");
    }

    private void sendPast() throws IOException, InterruptedException {
        for (int request = 0; request < REQUESTS; request++) {
            StringBuilder lines = new StringBuilder();
            for (int point = 0; point < POINTS; point++) {
                lines.append("past,host=h")
                        .append(point % 4)
                        .append(" value=")
                        .append(request)
                        .append('\n');
            }
            write(lines.toString());
            int sent = (request + 1) * POINTS;
            await().until(() -> total(store.rows(), "past.value.count") == sent);
        }
        await().until(() -> status().path("totals").path("points").asLong() == REQUESTS * POINTS);
    }

    private void sendUntilOver() {
        try {
            while (!isOver.get()) {
                write("live,host=h0 value=1\n");
                liveSent.incrementAndGet();
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private JsonNode replay(int exitCode, Path file, String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "replay";
        all[1] = "-c";
        all[2] = file.toString();
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        Invocation run = Invocation.of(all);
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
        return Json.read("replay", run.out());
    }

    private JsonNode status() throws InterruptedException {
        return client.status(node, "coordinator");
    }

    private SortedMap<String, Double> some(String prefix) {
        SortedMap<String, Double> some = store.rows();
        some.keySet().removeIf(row -> !row.startsWith(prefix));
        return some;
    }

    private static SortedMap<String, Double> joined(SortedMap<String, Double> one, SortedMap<String, Double> other) {
        SortedMap<String, Double> joined = new TreeMap<>(one);
        joined.putAll(other);
        return joined;
    }

    private static double total(SortedMap<String, Double> rows, String metric) {
        return rows.entrySet().stream()
                .filter(row -> row.getKey().startsWith(metric + " "))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private Path configuration(String name, String functions) throws IOException {
        return configuration(name, functions, "");
    }

    /** Writes a configuration with additional journal keys. */
    private Path configuration(String name, String functions, String journal) throws IOException {
        return Files.writeString(folder.resolve(name), """
                node: { id: n1, host: 127.0.0.1, data_dir: "%s", http: "%s" }
                coordinator: { connect: "%s", embedded: { run: always, address: "%s" } }
                cycle: { every: 300ms }
                queue: { address: "127.0.0.1:0", journal: { max_bytes: 256MiB, reserve: 1MiB%s } }
                processor: { address: "127.0.0.1:0" }
                inputs: { influx: { http: "%s" } }
                pipelines:
                  all: { aggregate: { functions: [%s] }, stores: [kairos], rows: { tags: { of: all } } }
                  other: { where: "other*", aggregate: { functions: [count] }, stores: [kairos], rows: { tags: { of: other } } }
                stores: { kairos: { url: "%s" } }
                """.formatted(
                        folder.resolve("data"), node, zooKeeper, zooKeeper, journal, input, functions, store.url()));
    }

    private void start(Path file) throws IOException {
        process = new ProcessBuilder(ChimeraHome.find()
                        .nodeCommand(List.of("-Xmx256m"), List.of("run", "all", "-c", file.toString())))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(file.getFileName() + ".log").toFile())
                .start();
        await().until(() -> client.isReady(node));
    }

    private void write(String lines) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + input + "/write"))
                .POST(HttpRequest.BodyPublishers.ofString(lines))
                .build();
        assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(204);
    }

    private static String freeAddress() {
        return new FreePorts(1).next();
    }
}
