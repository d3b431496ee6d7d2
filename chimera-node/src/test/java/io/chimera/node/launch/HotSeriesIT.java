package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hot series pre-aggregated on the queue node ({@code combine_after}), with real processes; a processor is killed with
 * SIGKILL. Two pipelines take the same points, only one of them pre-aggregates, and each cycle has the same rows of
 * both.
 */
@Tag("it")
final class HotSeriesIT {
    private static final int BATCHES = 30;
    private static final int BATCH = 1_000;
    private static final int KILLED_AT = 10;
    private static final int BACK_AT = 20;
    private static final int HOSTS = 200;

    /** Tag that distinguishes the rows of the two pipelines. */
    private static final String ZONE = "zone";

    private static final String PIPELINES = """
        each: { aggregate: { by: [host], functions: [count, min, max, sum] }, stores: [kairos] }
        together:
          aggregate: { by: [host], functions: [count, min, max, sum], combine_after: 10 }
          stores: [kairos]
          rows: { tags: { zone: together } }
        """;

    @TempDir
    Path folder;

    @Test
    void givesTheSameRowsAndLosesNothingThoughAProcessorIsKilled() throws Exception {
        List<String> batches = batches();
        try (ProcessorCluster run = new ProcessorCluster(folder, PIPELINES)) {
            run.start();
            run.send(batches.subList(0, KILLED_AT));
            assertThat(combined(run, "p1") + combined(run, "p2")).isGreaterThan(KILLED_AT * BATCH / 10.0);
            run.kill("p1");
            run.send(batches.subList(KILLED_AT, BACK_AT));
            run.startAgain("p1");
            run.send(batches.subList(BACK_AT, BATCHES));
            run.awaitAll((long) BATCHES * BATCH);

            assertThat(run.store().changes())
                    .as("rows that were written again with another value")
                    .isZero();
            SortedMap<String, Double> each = new TreeMap<>();
            SortedMap<String, Double> together = new TreeMap<>();
            run.store().rows().forEach((row, value) -> {
                if (row.contains(ZONE)) {
                    together.put(row.replaceAll(",\"" + ZONE + "\":[^,}]*", ""), value);
                } else {
                    each.put(row, value);
                }
            });
            assertThat(total(each)).isEqualTo((double) BATCHES * BATCH);
            assertThat(together).isEqualTo(each);
        }
    }

    private static double combined(ProcessorCluster run, String processor) throws InterruptedException {
        return run.metric(processor, "chimera_staging_copies_combined_total");
    }

    private static double total(SortedMap<String, Double> rows) {
        return rows.entrySet().stream()
                .filter(row -> row.getKey().startsWith("load.value.count "))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /**
     * The n-th host has one n-th of the points of the first host: in a batch, the first has about 170, the last at most
     * one.
     */
    private static List<String> batches() {
        Random random = new Random(20260518);
        double[] upTo = new double[HOSTS];
        double sum = 0;
        for (int i = 0; i < HOSTS; i++) {
            sum += 1.0 / (i + 1);
            upTo[i] = sum;
        }
        List<String> batches = new ArrayList<>();
        for (int batch = 0; batch < BATCHES; batch++) {
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < BATCH; i++) {
                double at = random.nextDouble() * sum;
                int host = 0;
                while (upTo[host] < at) {
                    host++;
                }
                lines.append("load,host=h" + host + ",zone=z value=" + random.nextInt(1_000) + "\n");
            }
            batches.add(lines.toString());
        }
        return batches;
    }
}
