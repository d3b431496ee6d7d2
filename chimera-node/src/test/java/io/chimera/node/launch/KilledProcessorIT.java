package io.chimera.node.launch;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * VoIPSTREAM with real processes; a processor is killed with SIGKILL in the middle of the calls and restarted. Every
 * score equals the score of an undisturbed run. The window is long enough that all calls are within the slack of every
 * cycle. So scores depend only on the order of the calls, not on the cuts of the cycles.
 */
@Tag("it")
final class KilledProcessorIT {
    private static final int CALLS = 12_000;
    private static final int BATCH = 300;
    private static final int BATCHES = CALLS / BATCH;
    private static final int KILLED_AT = BATCHES * 2 / 5;
    private static final int BACK_AT = BATCHES * 3 / 5;

    /** One call per millisecond, so that no two rows of a user have the same time. */
    private static final int RATE = 1_000;

    private static final String PIPELINES = """
        calls:
          inputs: [influx]
          where: call
          after:
            partitions: 16
            keys: [caller, callee]
            blocks:
              score: { type: voip_score, window: 1h, cells: 1024 }
            output: [score.out]
          aggregate: { by: [user], functions: [] }
          stores: [kairos]
        """;

    @TempDir
    Path folder;

    @Test
    void scoresAreThoseOfAnUndisturbedRunThoughAProcessorWasKilledAndCameBack() throws Exception {
        List<String> batches = batches();
        SortedMap<String, Double> wanted;
        try (ProcessorCluster run = new ProcessorCluster(folder.resolve("undisturbed"), PIPELINES)) {
            run.start();
            run.send(batches);
            run.awaitAll(CALLS);
            wanted = run.store().rows();
            assertThat(run.metric("p1", "chimera_composer_points_emitted_total"))
                    .isPositive();
            assertThat(run.metric("p2", "chimera_composer_points_emitted_total"))
                    .isPositive();
        }
        assertThat(wanted).as("a score for each half of a call").hasSize(2 * CALLS);
        assertThat(wanted.values()).as("telemarketers are told from others").anyMatch(score -> score > 0.5);

        try (ProcessorCluster run = new ProcessorCluster(folder.resolve("disturbed"), PIPELINES)) {
            run.start();
            run.send(batches.subList(0, KILLED_AT));
            run.kill("p1");
            run.send(batches.subList(KILLED_AT, BACK_AT));
            run.startAgain("p1");
            run.send(batches.subList(BACK_AT, BATCHES));
            run.awaitAll(CALLS);

            assertEqual(run.store().rows(), wanted);
            assertThat(run.store().changes())
                    .as("rows that were written again with another value")
                    .isZero();
            assertThat(run.metric("q1", "chimera_coordinator_shards_reassigned_total"))
                    .as("shards that the killed processor had")
                    .isPositive();
            for (String heir : List.of("p1", "p2")) {
                assertThat(run.metric(heir, "chimera_composer_rebuilds_total"))
                        .as("states that %s built anew", heir)
                        .isPositive();
                assertThat(run.metric(heir, "chimera_composer_rebuilds_short_total"))
                        .isZero();
            }
        }
    }

    /** Reports a few differing rows instead of all. */
    private static void assertEqual(SortedMap<String, Double> scores, SortedMap<String, Double> wanted) {
        List<String> lost =
                wanted.keySet().stream().filter(row -> !scores.containsKey(row)).toList();
        List<String> others = scores.entrySet().stream()
                .filter(row -> !row.getValue().equals(wanted.get(row.getKey())))
                .map(row -> row.getKey() + " is " + row.getValue() + ", not " + wanted.get(row.getKey()))
                .toList();
        assertThat(lost).as("lost").isEmpty();
        assertThat(others).as("other or doubled").isEmpty();
        assertThat(scores).hasSameSizeAs(wanted);
    }

    private List<String> batches() throws IOException {
        Path file = folder.resolve("calls.lines");
        Invocation gen = Invocation.of(
                "gen",
                "cdr",
                "--calls=" + CALLS,
                "--users=2000",
                "--telemarketers=20",
                "--rate=" + RATE,
                "--start=" + System.currentTimeMillis(),
                "--out=" + file);
        assertThat(gen.exitCode()).as(gen.err()).isZero();
        List<String> lines = Files.readAllLines(file, US_ASCII);
        List<String> batches = new ArrayList<>();
        for (int i = 0; i < CALLS; i += BATCH) {
            batches.add(String.join("\n", lines.subList(i, i + BATCH)) + '\n');
        }
        return batches;
    }
}
