package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processors with different weights; one is killed during open cycles and returns with another weight. */
@Tag("it")
final class WeightsIT {
    private static final int HOSTS = 2_000;
    private static final int BATCHES = 3;

    private static final String PIPELINES =
            "each: { aggregate: { by: [host], functions: [count, sum] }, stores: [kairos] }";

    @TempDir
    Path folder;

    @Test
    void sharesFollowTheWeightsAndRowsAreExact() throws Exception {
        try (ProcessorCluster run = new ProcessorCluster(folder, PIPELINES)) {
            run.weight("p1", "3");
            run.weight("p2", "1");
            run.start();
            for (int i = 0; i < BATCHES; i++) {
                run.send(List.of(batch()));
            }
            run.awaitAll((long) BATCHES * HOSTS);
            assertThat(run.metric("p1", "chimera_staging_points_total")
                            / run.metric("p2", "chimera_staging_points_total"))
                    .as("points of p1 over points of p2")
                    .isBetween(2.5, 3.5);

            run.store().acceptOnly(2);
            run.sendNow(batch());
            await().until(() -> shards(run).equals(Map.of("p1", 3, "p2", 1)));
            run.kill("p2");
            run.store().acceptOnly(Integer.MAX_VALUE);
            run.weight("p2", "3");
            run.startAgain("p2");
            int sent = BATCHES + 1;
            run.awaitAll((long) sent * HOSTS);

            run.store().acceptOnly(2);
            run.sendNow(batch());
            sent++;
            await().until(() -> shards(run).equals(Map.of("p1", 1, "p2", 1)));
            run.store().acceptOnly(Integer.MAX_VALUE);
            run.awaitAll((long) sent * HOSTS);

            assertThat(stored(run)).as("points in the rows").isEqualTo((double) sent * HOSTS);
            assertThat(run.store().changes())
                    .as("rows that were written again with another value")
                    .isZero();
        }
    }

    /** Returns the number of shards of each processor in the newest open cycle; empty without an open cycle. */
    private static Map<String, Integer> shards(ProcessorCluster run) throws InterruptedException {
        Map<String, Integer> shards = new TreeMap<>();
        JsonNode open = run.status().path("open");
        if (!open.isEmpty()) {
            for (JsonNode shard : open.get(open.size() - 1).path("shards")) {
                shards.merge(shard.path("processor").asText(), 1, Integer::sum);
            }
        }
        return shards;
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
