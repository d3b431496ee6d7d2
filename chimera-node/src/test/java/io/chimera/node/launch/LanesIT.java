package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A processor with three lanes is killed with SIGKILL in the middle of open cycles, restarted, and drained. */
@Tag("it")
final class LanesIT {
    private static final int HOSTS = 300;
    private static final int BATCHES = 4;

    private static final String PIPELINES =
            "each: { aggregate: { by: [host], functions: [count, sum] }, stores: [kairos] }";

    @TempDir
    Path folder;

    @Test
    void lanesAreMembersThatLoseAndDoubleNothing() throws Exception {
        try (ProcessorCluster run = ProcessorCluster.withLanes(folder, PIPELINES, 3)) {
            run.start();
            assertThat(processors(run)).containsExactly("p1", "p1.1", "p1.2");
            for (int i = 0; i < BATCHES; i++) {
                run.send(List.of(batch()));
            }
            run.awaitAll(BATCHES * HOSTS);
            assertEachLaneWorks(run);

            run.store().acceptOnly(2);
            for (int i = 0; i < BATCHES; i++) {
                run.sendNow(batch());
            }
            await().until(() -> openPoints(run) >= HOSTS
                    && run.processorStatus("p1").path("shards_flushing").asInt() > 0);
            run.kill("p1");
            run.store().acceptOnly(Integer.MAX_VALUE);
            run.sendNow(batch());
            run.startAgain("p1");
            run.send(List.of(batch()));
            int sent = 2 * BATCHES + 2;
            run.awaitAll((long) sent * HOSTS);

            assertThat(stored(run)).as("points in the rows").isEqualTo((double) sent * HOSTS);
            assertThat(run.store().changes())
                    .as("rows that were written again with another value")
                    .isZero();
            assertThat(processors(run)).containsExactly("p1", "p1.1", "p1.2");
            assertDrains(run);
        }
    }

    private static void assertEachLaneWorks(ProcessorCluster run) throws InterruptedException {
        JsonNode status = run.processorStatus("p1");
        assertThat(status.path("lanes").findValuesAsText("id")).containsExactly("p1", "p1.1", "p1.2");
        String metrics = run.metrics("p1");
        for (int lane = 0; lane < 3; lane++) {
            assertThat(value(metrics, "chimera_staging_points_total", lane))
                    .as("points of lane %d", lane)
                    .isPositive();
            assertThat(value(metrics, "chimera_extractor_queue_nodes", lane)).isEqualTo(1);
        }
        Invocation top = Invocation.of("top", "--once", "--json", "--http", run.http("q1"));
        assertThat(top.exitCode()).as(top.err()).isZero();
        assertThat(Json.read("top", top.out()).path("points_staged").asLong())
                .as("points of all lanes, each once")
                .isEqualTo(BATCHES * HOSTS);
        assertThat(run.folder("p1").resolve("lane-2")).isDirectory();
    }

    private static void assertDrains(ProcessorCluster run) throws InterruptedException {
        Invocation reload = Invocation.of("cluster", "reload", "--http", run.http("q1"));
        assertThat(reload.exitCode()).as(reload.err()).isZero();
        assertThat(reload.out()).contains("p1: ").doesNotContain("p1.1: ");

        Invocation lane = Invocation.of("cluster", "drain", "p1.1", "--http", run.http("q1"));
        assertThat(lane.exitCode()).isNotZero();
        assertThat(lane.err()).contains("lane of p1");
        Invocation drain = Invocation.of("cluster", "drain", "p1", "--http", run.http("q1"));
        assertThat(drain.exitCode()).as(drain.err()).isZero();
        assertThat(processors(run)).isEmpty();
    }

    private static double value(String metrics, String name, int lane) {
        return metrics.lines()
                .filter(line -> line.startsWith(name + "{") && line.contains("lane=\"" + lane + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static List<String> processors(ProcessorCluster run) throws InterruptedException {
        List<String> ids = new ArrayList<>();
        for (JsonNode member : run.status().path("members")) {
            if (member.path("role").asText().equals("processor")) {
                ids.add(member.path("id").asText());
            }
        }
        return ids;
    }

    private static long openPoints(ProcessorCluster run) throws InterruptedException {
        long points = 0;
        for (JsonNode cycle : run.status().path("open")) {
            points += cycle.path("points").asLong();
        }
        return points;
    }

    private static double stored(ProcessorCluster run) {
        return run.store().rows().entrySet().stream()
                .filter(row -> row.getKey().startsWith("load.value.count "))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** One point of each host. */
    private static String batch() {
        StringBuilder lines = new StringBuilder();
        for (int host = 0; host < HOSTS; host++) {
            lines.append("load,host=h").append(host).append(" value=1\n");
        }
        return lines.toString();
    }
}
