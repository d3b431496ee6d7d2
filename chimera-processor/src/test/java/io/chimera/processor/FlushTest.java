package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.timeMs;
import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.api.model.Row;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.PointBytes;
import io.chimera.testkit.store.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flush and commit when store, assignment or coordinator interfere. */
final class FlushTest {
    private static final long OTHER = 0xBADL;

    @TempDir
    private Path folder;

    private ProcessorRig rig;
    private QueueNodeFake queue;

    private void start(String... functions) {
        AggregateConfig aggregate = ProcessorRig.functions(functions);
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, ProcessorRig.pipeline(aggregate));
        queue = rig.queue(1);
    }

    @AfterEach
    void closeRig() {
        rig.close();
    }

    private static PointBytes point(String metric, double value) {
        return Records.of(metric, Map.of("host", "a"), Map.of("x", value), timeNs(1));
    }

    private static String sum(String metric, long cycle) {
        return metric + ".x.sum{host=a}@" + timeMs(cycle);
    }

    private List<String> announcedOut() {
        return rig.cluster.truth().processors().stream()
                .flatMap(member -> member.storesOut().stream())
                .toList();
    }

    @Test
    void waitsForStoreAndThenWritesEverything() {
        start("sum");
        rig.store.reachable(false);
        for (long cycle = 1; cycle <= 4; cycle++) {
            rig.begin(cycle, queue);
            queue.send(cycle, 0, 0, List.of(point("m", (double) cycle)));
        }
        rig.run();
        rig.run(Duration.ofSeconds(60));
        assertThat(rig.node.status().storeOutage())
                .hasValueSatisfying(text -> assertThat(text).contains("store memory"));
        assertThat(announcedOut()).as("the coordinator knows it").containsExactly("memory");
        assertThat(rig.store.attempts()).as("100 ms, doubled up to 1 s").isBetween(50, 80);
        assertThat(rig.count(ProcessorCounter.STORE_OUTAGES)).isEqualTo(1);
        assertThat(rig.commit(1, 0)).isNull();
        assertThat(queue.takeAnswers()).hasSize(4);

        rig.store.reachable(true);
        rig.run(Duration.ofSeconds(5));
        assertThat(rig.node.status().storeOutage()).isEmpty();
        assertThat(announcedOut()).isEmpty();
        for (long cycle = 1; cycle <= 4; cycle++) {
            assertThat(rig.store.values()).containsEntry(sum("m", cycle), (double) cycle);
            assertThat(rig.commit(cycle, 0).rows()).isEqualTo(1);
        }
    }

    @Test
    void stopsSendersWhileTheFlusherHoldsAsManyCyclesAsMayBeStaged() {
        start("sum");
        rig.store.reachable(false);
        for (long cycle = 1; cycle <= 17; cycle++) {
            rig.begin(cycle, queue);
            queue.send(cycle, 0, 0, List.of(point("m", 1)));
        }
        rig.run();
        assertThat(queue.takeAnswers()).hasSize(16);
        assertThat(rig.node.status().slotsUsed()).as("the last cycle waits").isEqualTo(2);

        rig.store.reachable(true);
        rig.run(Duration.ofSeconds(5));
        assertThat(rig.commit(17, 0).rows()).isEqualTo(1);
        assertThat(rig.node.status().slotsUsed()).isZero();
    }

    @Test
    void givesUpShardThatIsAssignedToAnother() {
        start("sum");
        rig.store.reachable(false);
        rig.begin(1, queue);
        queue.send(1, 0, 0, List.of(point("m", 1)));
        rig.run();
        rig.assign(1, 1, List.of(1L), List.of(OTHER));
        rig.store.reachable(true);
        rig.run(Duration.ofSeconds(10));

        assertThat(rig.store.rows()).isEmpty();
        assertThat(rig.commit(1, 0)).isNull();
        assertThat(rig.count(ProcessorCounter.FLUSHER_SHARDS_OVERTAKEN)).isEqualTo(1);
        assertThat(rig.node.status().stagedCycles()).isZero();
        assertThat(rig.node.status().warehouseBytes()).isZero();
    }

    @Test
    void takesShardUpAgainThatComesBack() {
        start("sum");
        rig.store.reachable(false);
        rig.begin(1, queue);
        queue.send(1, 0, 0, List.of(point("m", 1)));
        rig.run();
        queue.takeAnswers();
        rig.assign(1, 1, List.of(1L), List.of(OTHER));
        rig.run();
        rig.assign(1, 2, List.of(1L), List.of(PROCESSOR));
        rig.store.reachable(true);
        rig.run(Duration.ofMillis(5200));
        assertThat(queue.takeAnswers()).containsExactly("NEED 1/0/0");
        queue.send(1, 0, 0, List.of(point("m", 1)));
        rig.run();
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(1);
    }

    @Test
    void commitsUnderTheNewestAssignmentThatNamesIt() {
        start("sum");
        rig.begin(1, List.of(1L), List.of(PROCESSOR, OTHER));
        rig.store.beforeWrite(rows -> rig.assign(1, 1, List.of(1L), List.of(PROCESSOR, OTHER)));
        queue.send(1, 0, 0, List.of(point("m", 1)));
        rig.run();

        assertThat(rig.commit(1, 0).session()).isEqualTo(PROCESSOR);
        assertThat(rig.store.attempts()).isEqualTo(1);
    }

    @Test
    void repeatsCommitUntilItIsSeen() {
        start("sum");
        rig.begin(1, queue);
        queue.send(1, 0, 0, List.of(point("m", 1)));
        rig.store.beforeWrite(rows -> rig.link.disconnect());
        rig.run();
        rig.run(Duration.ofSeconds(3));
        assertThat(rig.commit(1, 0)).isNull();
        assertThat(rig.count(ProcessorCounter.FLUSHER_COMMITS)).isBetween(3L, 5L);
        assertThat(rig.node.status().flushing()).isEqualTo(1);

        rig.link.reconnect();
        rig.run(Duration.ofSeconds(2));
        assertThat(rig.commit(1, 0).session()).isEqualTo(PROCESSOR);
        assertThat(rig.node.status().flushing()).isZero();
        assertThat(rig.node.status().stagedCycles()).isZero();
    }

    @Test
    void doesNotRepeatCommitOfAnother() {
        start("sum");
        rig.begin(1, queue);
        queue.send(1, 0, 0, List.of(point("m", 1)));
        rig.store.beforeWrite(rows -> {
            rig.assign(1, 1, List.of(1L), List.of(OTHER));
            rig.cluster.join().commit(new ShardCommit(1, 0, OTHER, new ShardCommit.Accounts(1, 0, 0, 0), 1, 0), 1);
        });
        rig.run();

        assertThat(rig.commit(1, 0).session()).isEqualTo(OTHER);
        assertThat(rig.count(ProcessorCounter.FLUSHER_SHARDS_OVERTAKEN)).isEqualTo(1);
        assertThat(rig.node.status().stagedCycles()).isZero();
    }

    @Test
    void writesBatchesNoLargerThanTheStoreWants() {
        rig = new ProcessorRig(
                folder,
                ProcessorRig.CONFIG,
                ProcessorRig.pipeline(ProcessorRig.functions("sum", "count")),
                new MemoryStore(700));
        queue = rig.queue(1);
        rig.begin(1, queue);
        List<PointBytes> points = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            points.add(point("m" + i, 1));
        }
        queue.send(1, 0, 0, points);
        rig.run();

        assertThat(rig.commit(1, 0).rows()).isEqualTo(2000);
        assertThat(rig.store.batches()).containsExactly(700, 700, 600);
    }

    @Test
    void makesRowsInPiecesOfBoundedSize() {
        start("sum", "count");
        rig.begin(1, queue);
        List<PointBytes> points = new ArrayList<>();
        for (int i = 0; i < 12_000; i++) {
            points.add(point("m" + i, 1));
        }
        queue.send(1, 0, 0, points);
        for (int i = 0; i < 100 && !queue.flush(); i++) {
            rig.run();
        }
        rig.run();

        assertThat(rig.commit(1, 0).rows()).isEqualTo(24_000);
        assertThat(rig.store.batches()).containsExactly(10_000, 10_000, 4_000);
    }

    @Test
    void putsRefusedRowsAsideAndKeepsTheOthers() throws IOException {
        start("sum");
        rig.begin(1, queue);
        List<PointBytes> points = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            points.add(point("m" + i, i));
        }
        rig.store.refuse(row -> row.metric().equals("m17.x.sum") || row.metric().equals("m900.x.sum"));
        queue.send(1, 0, 0, points);
        rig.run();
        assertThat(rig.commit(1, 0)).as("two refusals prove nothing").isNull();
        rig.run(Duration.ofSeconds(8));

        assertThat(rig.store.rows()).hasSize(998);
        assertThat(rig.commit(1, 0).rows()).isEqualTo(998);
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(1000);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_REFUSED)).isEqualTo(2);
        List<String> letters = Files.readAllLines(folder.resolve("dead-letter-rows.jsonl"));
        assertThat(letters).hasSize(2);
        JsonNode letter = new ObjectMapper().readTree(letters.get(0));
        assertThat(letter.get("metric").asText()).isEqualTo("m17.x.sum");
        assertThat(letter.get("value").asDouble()).isEqualTo(17);
        assertThat(letter.get("tags").get("host").asText()).isEqualTo("a");
        assertThat(letter.get("store").asText()).isEqualTo("memory");
        assertThat(letter.get("reason").asText()).contains("does not want m17.x.sum");
    }

    @Test
    void writesNoRowForSumThatOverflows() {
        start("sum", "max");
        rig.begin(1, queue);
        queue.send(1, 0, 0, List.of(point("m", Double.MAX_VALUE), point("m", Double.MAX_VALUE)));
        rig.run();

        assertThat(rig.store.rows()).extracting(Row::metric).containsExactly("m.x.max");
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_NOT_FINITE)).isEqualTo(1);
    }

    @Test
    void triesAgainWhatStoreThrewAt() {
        start("sum");
        boolean[] isBroken = {true};
        rig.store.beforeWrite(rows -> {
            if (isBroken[0]) {
                throw new IllegalStateException("a defect");
            }
        });
        rig.begin(1, queue);
        queue.send(1, 0, 0, List.of(point("m", 1)));
        rig.run(Duration.ofSeconds(3));
        assertThat(rig.commit(1, 0)).isNull();

        isBroken[0] = false;
        rig.run(Duration.ofSeconds(7));

        assertThat(rig.store.values()).containsOnly(Map.entry(sum("m", 1), 1.0));
        assertThat(rig.commit(1, 0).rows()).isEqualTo(1);
    }

    @Test
    void anOutageEndsWhenTheStoreAnswersThoughThereIsNothingToWrite() {
        start("sum");
        rig.store.reachable(false);
        rig.begin(1, queue);
        queue.send(1, 0, 0, List.of(point("m", 1)));
        rig.run();
        rig.assign(1, 1, List.of(1L), List.of(OTHER));
        rig.run();
        assertThat(rig.node.status().flushing()).isZero();
        assertThat(rig.node.status().storeOutage()).isPresent();

        rig.store.reachable(true);
        rig.run(Duration.ofSeconds(7));

        assertThat(rig.node.status().storeOutage()).isEmpty();
        assertThat(rig.store.rows()).isEmpty();
    }

    @Test
    void deadStoreDoesNotHoldUpTheRowsOfOthers() {
        MemoryStore dead = new MemoryStore();
        dead.reachable(false);
        MemoryStore good = new MemoryStore();
        AggregateConfig sum = ProcessorRig.functions("sum");
        SortedMap<String, PipelineConfig> two = new TreeMap<>(Map.of(
                "a", Sections.of(PipelineConfig.class, "aggregate", sum, "stores", List.of("dead")),
                "b", Sections.of(PipelineConfig.class, "aggregate", sum, "stores", List.of("good"))));
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, two, Map.of("dead", dead, "good", good));
        queue = rig.queue(1);
        for (long cycle = 1; cycle <= 3; cycle++) {
            rig.begin(cycle, queue);
            List<PointBytes> points = List.of(point("m", (double) cycle));
            queue.begin(cycle, 0, 0).data(0, points).data(1, false, points).end();
        }
        rig.run();

        assertThat(good.values()).containsOnlyKeys(sum("m", 1), sum("m", 2), sum("m", 3));
        assertThat(rig.commit(1, 0)).isNull();
        dead.reachable(true);
        rig.run(Duration.ofSeconds(7));

        for (long cycle = 1; cycle <= 3; cycle++) {
            assertThat(rig.commit(cycle, 0).rows()).isEqualTo(2);
        }
        assertThat(dead.values()).isEqualTo(good.values());
        assertThat(good.written()).isEqualTo(3);
    }

    @Test
    void slowStoreIsGivenNoMoreThanHalfOfTheTime() {
        start("sum");
        int[] tries = {0};
        rig.store.beforeWrite(rows -> {
            tries[0]++;
            rig.clock.advanceMs(30_000); // the time-out of the store
        });
        rig.store.reachable(false);
        rig.begin(1, queue);
        queue.send(1, 0, 0, List.of(point("m", 1)));
        rig.run();
        rig.run(Duration.ofSeconds(20));
        assertThat(tries[0]).isEqualTo(1);

        rig.run(Duration.ofSeconds(18));
        assertThat(tries[0]).isEqualTo(2);
    }
}
