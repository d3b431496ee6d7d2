package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.point;
import static io.chimera.processor.ProcessorRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.CycleNumber;
import io.chimera.api.model.PipelineName;
import io.chimera.api.model.PipelinesDigest;
import io.chimera.api.model.Row;
import io.chimera.api.model.RowVersion;
import io.chimera.api.model.ShardIndex;
import io.chimera.api.model.SliceIndex;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.ShardWrite;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.config.pipeline.RowsConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.wire.PointBytes;
import io.chimera.testkit.store.MemoryShardStore;
import io.chimera.testkit.store.MemoryStore;
import io.chimera.testkit.store.MemoryStore.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flush to a store that writes shards as a whole; the memory store checks the order of rows and calls. */
final class ShardStoreFlushTest {
    private static final long OTHER = 0xBADL;

    @TempDir
    private Path folder;

    private final MemoryStore table = new MemoryStore(100);
    private final MemoryShardStore store = new MemoryShardStore(table, misuse -> {
        throw new IllegalStateException(misuse);
    });
    private final List<ShardWrite> shards = new ArrayList<>();
    private ProcessorRig rig;
    private QueueNodeFake queue;

    private void start(SortedMap<String, PipelineConfig> pipelines) {
        rig = new ProcessorRig(
                folder, ProcessorRig.CONFIG, pipelines, PluginHost.ofClassPath(), Map.of("memory", store));
        queue = rig.queue(1);
        table.beforeWrite(rows -> {
            if (store.shard() != null && !shards.contains(store.shard())) {
                shards.add(store.shard());
            }
        });
    }

    private void start() {
        start(ProcessorRig.pipeline(ProcessorRig.functions("count", "sum")));
    }

    private static SortedMap<String, PipelineConfig> exactlyOnce() {
        return new TreeMap<>(Map.of(
                "all",
                Sections.of(
                        PipelineConfig.class,
                        "aggregate",
                        ProcessorRig.functions("count", "sum"),
                        "stores",
                        List.of("memory"),
                        "delivery",
                        PipelineConfig.Delivery.EXACTLY_ONCE)));
    }

    @AfterEach
    void closeRig() {
        rig.close();
    }

    private static List<PointBytes> series(int count) {
        List<PointBytes> points = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            points.add(point("h" + i, i));
        }
        return points;
    }

    private void send(long cycle, List<PointBytes> points) {
        rig.begin(cycle, queue);
        queue.send(cycle, 0, 0, points);
        for (int i = 0; i < 1_000 && !queue.flush(); i++) {
            rig.run();
        }
        rig.run();
    }

    @Test
    void writesAShardInOrderAndCommitsItOnce() {
        start();
        send(1, series(300));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(600);
        assertThat(table.values()).hasSize(600).containsEntry(row("sum", "h299", 1), 299.0);
        assertThat(table.written()).isEqualTo(600);
        assertThat(rig.count(ProcessorCounter.STORE_SHARDS)).isEqualTo(1);
        assertThat(rig.count(ProcessorCounter.STORE_SHARDS_BROKEN)).isZero();
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS)).isEqualTo(600);
        ShardWrite shard = shards.get(0);
        assertThat(shard.cycle().value()).isEqualTo(1);
        assertThat(shard.repeats()).isNull();
        assertThat(shard.timeMs()).isEqualTo(ProcessorRig.timeMs(1));
        assertThat(shard.pipeline().text()).isEqualTo("all");
        assertThat(shard.shard()).isEqualTo(new ShardIndex(0, 1));
        assertThat(shard.attempt()).isZero();
        assertThat(shard.digest().text()).isEqualTo(ProcessorRig.DIGEST.text());
    }

    @Test
    void aReplayHasTheNumberOfTheRepeatedCycleAndAHigherVersion() {
        start();
        send(1, series(1));
        long replay = Cycle.REPLAYS + 1;
        rig.beginReplay(replay, 1, "", queue);
        queue.send(replay, 0, 0, series(2));
        rig.run();

        assertThat(shards).hasSize(2);
        assertThat(shards.get(1).repeats()).isEqualTo(shards.get(0).cycle());
        assertThat(shards.get(1).version()).isEqualTo(new RowVersion(replay));
        assertThat(table.values()).hasSize(4).containsEntry(row("count", "h1", 1), 1.0);
    }

    @Test
    void beginsAgainAfterAFailureWithTheFirstRow() {
        start();
        int[] writes = {0};
        table.beforeWrite(rows -> table.reachable(++writes[0] != 4));
        send(1, series(300));
        rig.run(Duration.ofSeconds(3));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(600);
        assertThat(table.written()).as("nothing of the first attempt").isEqualTo(600);
        assertThat(rig.count(ProcessorCounter.STORE_SHARDS_BROKEN)).isEqualTo(1);
        assertThat(rig.node.status().storeOutage()).isEmpty();
    }

    @Test
    void repeatsAFailedCommit() {
        start();
        ArrayDeque<Outcome> outcomes =
                new ArrayDeque<>(List.of(Outcome.FAILED, Outcome.WRITTEN_BUT_FAILED, Outcome.WRITTEN));
        table.outcomes(outcomes::poll);
        send(1, series(10));
        assertThat(rig.commit(1, 0)).isNull();
        rig.run(Duration.ofSeconds(3));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(20);
        assertThat(table.values()).hasSize(20);
        assertThat(rig.count(ProcessorCounter.STORE_SHARDS_BROKEN)).isEqualTo(2);
    }

    @Test
    void abortsAShardThatIsGivenAway() {
        start();
        table.beforeWrite(rows -> {
            if (!rows.isEmpty()) {
                rig.assign(1, 1, List.of(1L), List.of(OTHER));
                table.beforeWrite(next -> {});
            }
        });
        send(1, series(300));
        assertThat(store.shard()).isNull();
        assertThat(table.rows()).isEmpty();
        assertThat(rig.count(ProcessorCounter.FLUSHER_SHARDS_OVERTAKEN)).isEqualTo(1);

        send(2, series(1));
        assertThat(table.rows()).hasSize(2);
        assertThat(rig.commit(2, 0).rows()).isEqualTo(2);
    }

    @Test
    void writesBadRowsToTheDeadLettersAndCommitsTheOthers() throws Exception {
        start();
        table.refuse(row -> "h7".equals(row.tags().get("host")));
        send(1, series(300));
        assertThat(rig.commit(1, 0)).isNull();
        rig.run(Duration.ofSeconds(10));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(598);
        assertThat(table.values()).hasSize(598).doesNotContainKey(row("sum", "h7", 1));
        assertThat(Files.readAllLines(folder.resolve("dead-letter-rows.jsonl"))).hasSize(2);
    }

    @Test
    void doesNotReportABadRowAgainWhenTheCommitFails() throws Exception {
        start();
        table.refuse(row -> "h7".equals(row.tags().get("host")));
        ArrayDeque<Outcome> outcomes = new ArrayDeque<>(List.of(Outcome.FAILED, Outcome.WRITTEN));
        table.outcomes(outcomes::poll);
        send(1, series(300));
        rig.run(Duration.ofSeconds(20));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(598);
        assertThat(table.values()).hasSize(598);
        assertThat(Files.readAllLines(folder.resolve("dead-letter-rows.jsonl"))).hasSize(2);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_REFUSED)).isEqualTo(2);
    }

    @Test
    void writesTheWholeShardAgainWhenRowsAreMissingAtTheReadBack() {
        start(exactlyOnce());
        ArrayDeque<Outcome> outcomes = new ArrayDeque<>(List.of(Outcome.FORGOTTEN, Outcome.WRITTEN));
        table.outcomes(outcomes::poll);
        send(1, series(30_000)); // more rows than a single read-back
        assertThat(rig.commit(1, 0)).isNull();
        rig.run(Duration.ofSeconds(10));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(60_000);
        assertThat(table.values()).hasSize(60_000);
        assertThat(table.written()).isEqualTo(60_000);
        assertThat(rig.count(ProcessorCounter.STORE_SHARDS)).isEqualTo(2);
    }

    /** Rows of a composition have times of their own, so two cycles may write the same row. */
    @Test
    void countsRowsOfALaterCycleAsWritten() throws Exception {
        start(exactlyOnce());
        Row later = Row.ofDouble("cpu.user.sum", Tags.of(Map.of("host", "h1")), ProcessorRig.timeMs(1), 77);
        MemoryShardStore other = new MemoryShardStore(table, misuse -> {
            throw new IllegalStateException(misuse);
        });
        ShardWrite second = new ShardWrite(
                new CycleNumber(2),
                null,
                ProcessorRig.timeMs(2),
                new PipelineName("all"),
                new ShardIndex(0, 1),
                SliceIndex.WHOLE,
                0,
                new PipelinesDigest(""));
        other.begin(second);
        other.write(List.of(later));
        other.commit(second);
        send(1, series(3));
        rig.run(Duration.ofSeconds(10));

        assertThat(rig.commit(1, 0)).isNotNull();
        assertThat(table.values()).hasSize(6).containsEntry(row("sum", "h1", 1), 77.0);
        assertThat(rig.count(ProcessorCounter.STORE_SHARDS)).isEqualTo(1);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_CORRUPT)).isZero();
        assertThat(rig.errors).isEmpty();
    }

    /** The memory store throws when two shards are open. */
    @Test
    void writesPipelinesAndCyclesOneAfterTheOther() {
        SortedMap<String, PipelineConfig> pipelines = new TreeMap<>();
        for (String prefix : List.of("a.", "b.")) {
            pipelines.put(
                    prefix,
                    Sections.of(
                            PipelineConfig.class,
                            "aggregate",
                            ProcessorRig.functions("count"),
                            "rows",
                            Sections.of(RowsConfig.class, "prefix", prefix),
                            "stores",
                            List.of("memory")));
        }
        start(pipelines);
        table.reachable(false);
        for (long cycle = 1; cycle <= 3; cycle++) {
            rig.begin(cycle, List.of(1L), List.of(PROCESSOR));
            List<PointBytes> points = series(2);
            queue.begin(cycle, 0, 0).data(0, points).data(1, points).end();
        }
        rig.run(Duration.ofSeconds(5));
        table.reachable(true);
        rig.run(Duration.ofSeconds(5));

        for (long cycle = 1; cycle <= 3; cycle++) {
            assertThat(rig.commit(cycle, 0)).isNotNull();
        }
        assertThat(shards).hasSize(6);
        assertThat(rig.errors).isEmpty();
    }
}
