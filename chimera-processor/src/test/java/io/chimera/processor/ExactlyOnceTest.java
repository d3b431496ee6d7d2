package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.Row;
import io.chimera.api.spi.Store;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.config.pipeline.BlockConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.wire.PointBytes;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.testkit.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delivery exactly_once: a shard is committed only after its rows were read back. */
final class ExactlyOnceTest {
    private static final PipelineConfig CONFIG = Sections.of(
            PipelineConfig.class,
            "aggregate",
            ProcessorRig.functions("sum", "count"),
            "stores",
            List.of("memory"),
            "delivery",
            PipelineConfig.Delivery.EXACTLY_ONCE);

    @TempDir
    private Path folder;

    private ProcessorRig rig;
    private QueueNodeFake queue;

    private void start(MemoryStore store) {
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, new TreeMap<>(Map.of("all", CONFIG)), store);
        queue = rig.queue(1);
    }

    @AfterEach
    void closeRig() {
        if (rig != null) {
            rig.close();
        }
    }

    private void flush(int metrics) {
        rig.begin(1, queue);
        List<PointBytes> points = new ArrayList<>();
        for (int i = 0; i < metrics; i++) {
            points.add(Records.of("m" + i, Map.of("host", "a"), Map.of("x", (double) i), timeNs(1)));
        }
        queue.send(1, 0, 0, points);
        for (int i = 0; i < 100 && !queue.flush(); i++) {
            rig.run();
        }
        rig.run();
    }

    @Test
    void commitsWhenEveryRowWasReadBack() {
        start(new MemoryStore());
        flush(30_000); // more rows than a single read-back

        assertThat(rig.commit(1, 0).rows()).isEqualTo(60_000);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_VERIFIED)).isEqualTo(60_000);
        assertThat(rig.count(ProcessorCounter.FLUSHER_SHARDS_FLUSHED)).isEqualTo(1);
        assertThat(rig.count(ProcessorCounter.FLUSHER_SHARDS_VERIFIED)).isEqualTo(1);
        assertThat(rig.store.reads()).isEqualTo(2);
        assertThat(rig.store.written()).isEqualTo(60_000);
    }

    @Test
    void rowsOfTheirOwnTimesAreReadBackOneTimeAfterTheOther() {
        PipelineConfig raw = Sections.of(
                PipelineConfig.class,
                "after",
                Sections.of(
                        AfterConfig.class,
                        "partitions",
                        8,
                        "keys",
                        List.of(),
                        "blocks",
                        Map.of("block", Sections.of(BlockConfig.class, "type", "copy"))),
                "aggregate",
                ProcessorRig.functions(),
                "stores",
                List.of("memory"),
                "delivery",
                PipelineConfig.Delivery.EXACTLY_ONCE);
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, new TreeMap<>(Map.of("all", raw)), new MemoryStore());
        queue = rig.queue(1);
        rig.begin(1, queue);
        queue.begin(1, 0, 0).end();
        rig.run();
        rig.begin(2, queue);
        List<PointBytes> points = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long timeNs = timeNs(1) + TimeUnit.MILLISECONDS.toNanos(i % 50);
            points.add(Records.of("m" + i, Map.of("host", "a"), Map.of("x", (double) i), timeNs));
        }
        queue.begin(2, 0, 0).data(0, points).end();
        rig.run();

        assertThat(rig.commit(2, 0).rows()).isEqualTo(100);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_VERIFIED)).isEqualTo(100);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_REWRITTEN)).isZero();
        assertThat(rig.store.reads()).isEqualTo(50);
    }

    @Test
    void doesNotReadBackWhatNeedsNoStore() {
        start(new MemoryStore());
        rig.store.reachable(false);
        flush(0);

        assertThat(rig.commit(1, 0).rows()).isZero();
        assertThat(rig.store.reads()).isZero();
    }

    @Test
    void waitsForRowsThatShowLateAndDoesNotWriteThemAgain() {
        start(new MemoryStore());
        List<Row> late = new ArrayList<>();
        rig.store.keep(row -> late.add(row) ? null : row);
        flush(10);
        rig.run(Duration.ofSeconds(1));

        assertThat(rig.commit(1, 0)).isNull();
        assertThat(rig.node.status().verifying()).isEqualTo(1);
        assertThat(rig.count(ProcessorCounter.FLUSHER_SHARDS_FLUSHED)).isEqualTo(1);
        assertThat(rig.count(ProcessorCounter.FLUSHER_SHARDS_VERIFIED)).isZero();

        rig.store.apply(late);
        rig.run(Duration.ofSeconds(1));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(20);
        assertThat(rig.store.written()).isEqualTo(20);
        assertThat(rig.node.status().verifying()).isZero();
    }

    @Test
    void writesRowsAgainThatTheStoreHasLost() {
        start(new MemoryStore());
        rig.store.keep(row -> row.metric().startsWith("m3.") ? null : row);
        flush(10);
        rig.run(Duration.ofSeconds(3));

        assertThat(rig.commit(1, 0)).isNull();
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_REWRITTEN)).isEqualTo(2);
        rig.store.keep(row -> row);
        rig.run(Duration.ofSeconds(5));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(20);
        assertThat(rig.store.rows()).hasSize(20);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_REWRITTEN)).isEqualTo(4);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_CORRUPT)).isZero();
        assertThat(rig.errors).isEmpty();
    }

    @Test
    void reportsRowsOfOtherValuesAndWritesThemAgain() {
        start(new MemoryStore());
        rig.store.keep(
                row -> row.metric().equals("m3.x.sum") ? Row.ofDouble(row.metric(), row.tags(), row.timeMs(), 9) : row);
        flush(10);
        assertThat(rig.errors).as("it may be the value before a replay").isEmpty();
        rig.store.keep(row -> row);
        rig.run(Duration.ofSeconds(3));

        assertThat(rig.errors).singleElement().isInstanceOfSatisfying(ChimeraException.class, e -> assertThat(e)
                .hasMessageContaining("Store memory")
                .hasMessageContaining("9.0 of m3.x.sum"));
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_CORRUPT)).isEqualTo(1);
        assertThat(rig.commit(1, 0).rows()).isEqualTo(20);
        assertThat(rig.store.values()).containsEntry("m3.x.sum{host=a}@" + ProcessorRig.timeMs(1), 3.0);
    }

    @Test
    void doesNotLookForRowsThatTheStoreRefused() {
        start(new MemoryStore());
        rig.store.refuse(row -> row.metric().equals("m7.x.sum"));
        flush(20);
        rig.run(Duration.ofSeconds(8));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(39);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_REFUSED)).isEqualTo(1);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_VERIFIED)).isEqualTo(39);
    }

    @Test
    void waitsForStoreThatCannotBeRead() {
        start(new MemoryStore());
        rig.store.afterWrite(() -> rig.store.reachable(false));
        flush(1);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS)).isEqualTo(2);
        assertThat(rig.node.status().storeOutage()).isPresent();
        assertThat(rig.commit(1, 0)).isNull();

        rig.store.reachable(true);
        rig.run(Duration.ofSeconds(2));

        assertThat(rig.node.status().storeOutage()).isEmpty();
        assertThat(rig.commit(1, 0).rows()).isEqualTo(2);
        assertThat(rig.store.written()).isEqualTo(2);
    }

    @Test
    void givesUpShardThatIsAssignedToAnotherWhileItIsReadBack() {
        start(new MemoryStore());
        rig.store.keep(row -> null);
        flush(10);
        rig.assign(1, 1, List.of(1L), List.of(0xBADL));
        rig.run();

        assertThat(rig.count(ProcessorCounter.FLUSHER_SHARDS_OVERTAKEN)).isEqualTo(1);
        assertThat(rig.node.status().verifying()).isZero();
        assertThat(rig.node.status().warehouseBytes()).isZero();
    }

    @Test
    void refusesStoreThatCannotBeReadBack() {
        Store blind = rows -> {};

        assertThatThrownBy(() -> Pipeline.of(
                        new TreeMap<>(Map.of("all", CONFIG)),
                        Map.of("memory", new NamedStore("memory", blind)),
                        PluginHost.ofClassPath()))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("pipelines.all.delivery")
                .hasMessageContaining("'memory'")
                .hasMessageContaining("at_least_once");
    }
}
