package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.point;
import static io.chimera.processor.ProcessorRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.config.ProcessorConfig.Warehouse;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.BlockConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import io.chimera.common.wire.Slice;
import io.chimera.testkit.store.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards that exceed the memory of a processor are processed slice by slice. */
final class SlicesTest {
    /** Maximum rounds of waiting: a part is requested again after 5 s, and there may be a dozen divisions. */
    private static final int ROUNDS_MAX = 3_000;

    @TempDir
    Path folder;

    private final List<ProcessorRig> rigs = new ArrayList<>();
    private ProcessorRig rig;
    private QueueNodeFake queue;
    private final Map<Integer, List<PointBytes>> parts = new HashMap<>();
    private int filteredOfPart;
    private int sent;

    private void start(int maxGroups, SortedMap<String, PipelineConfig> pipelines, MemoryStore store) {
        rig = new ProcessorRig(
                folder,
                ProcessorRig.config(Warehouse.ON_HEAP, maxGroups),
                pipelines,
                PluginHost.ofClassPath(),
                Map.of("memory", store));
        rigs.add(rig);
        queue = rig.queue(1);
    }

    @AfterEach
    void close() {
        rigs.forEach(ProcessorRig::close);
    }

    private static List<PointBytes> series(int first, int count) {
        List<PointBytes> points = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            points.add(point("h" + i, i));
        }
        return points;
    }

    /** Begins a cycle with a single shard; the queue node sends whole parts first, then on request. */
    private void begin(long cycle, List<List<PointBytes>> ofParts) {
        parts.clear();
        List<Long> owners = new ArrayList<>();
        for (int part = 0; part < ofParts.size(); part++) {
            parts.put(part, ofParts.get(part));
            owners.add(queue.session());
        }
        rig.begin(cycle, owners, List.of(PROCESSOR));
        parts.keySet().forEach(part -> send(cycle, part, Slice.WHOLE));
    }

    /** Answers requests until the cycle is committed, or the given number of transmissions is reached. */
    private void serve(long cycle, int sentMax) {
        for (int round = 0; round < ROUNDS_MAX && sent < sentMax && rig.commit(cycle, 0) == null; round++) {
            rig.run(Duration.ofMillis(100));
            for (String answer : queue.takeAnswers()) {
                if (answer.startsWith("NEED " + cycle)) {
                    String[] words = answer.split(" ", -1);
                    send(cycle, Integer.parseInt(words[1].split("/", -1)[2]), slice(words));
                }
            }
        }
    }

    private static Slice slice(String[] words) {
        if (words.length < 3) {
            return Slice.WHOLE;
        }
        String[] numbers = words[2].split("/", -1);
        return new Slice(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    private void send(long cycle, int part, Slice slice) {
        sent++;
        List<PointBytes> points =
                parts.get(part).stream().filter(each -> slice.has(keyOf(each))).toList();
        QueueNodeFake.Sending sending = queue.begin(cycle, 0, part).of(slice);
        for (int from = 0; from < points.size(); from += 50) {
            sending.data(0, points.subList(from, Math.min(points.size(), from + 50)));
        }
        sending.end(slice.index() == 0 ? filteredOfPart : 0);
        rig.run();
    }

    private static int keyOf(PointBytes point) {
        UnsafeBuffer frame = new FrameBody().add(true, List.of(point)).cut();
        int at = PartFrame.HEADER_LENGTH;
        while (Entries.kind(frame, at) != BodyLayout.SERIES) {
            at += Entries.length(frame, at);
        }
        return SeriesHash.slice(new SeriesFlyweight().wrap(frame, at).keyHash(), 1);
    }

    @Test
    void takesAShardThatDoesNotFitInSlicesAndCommitsItOnce() {
        List<List<PointBytes>> ofParts = List.of(series(0, 3_000), series(1_500, 3_000));
        start(100_000, ProcessorRig.pipeline(ProcessorRig.functions("count", "sum")), new MemoryStore());
        filteredOfPart = 7;
        begin(1, ofParts);
        serve(1, Integer.MAX_VALUE);
        Map<String, Double> whole = Map.copyOf(rig.store.values());
        ShardCommit commit = rig.commit(1, 0);
        assertThat(whole).hasSize(9_000);

        start(1_000, ProcessorRig.pipeline(ProcessorRig.functions("count", "sum")), new MemoryStore());
        begin(1, ofParts);
        serve(1, Integer.MAX_VALUE);

        assertThat(rig.store.values()).isEqualTo(whole);
        assertThat(rig.commit(1, 0)).isEqualTo(commit);
        assertThat(commit.accounts().aggregated()).isEqualTo(6_000);
        assertThat(commit.accounts().filtered()).isEqualTo(14);
        assertThat(rig.count(ProcessorCounter.STAGING_SHARDS_DIVIDED)).isBetween(5L, 32L);
        assertThat(rig.count(ProcessorCounter.FLUSHER_SHARDS)).isEqualTo(1);
        assertThat(rig.node.status().warehouseBytes()).isZero();
    }

    @Test
    void aCycleAfterAShardInSlicesIsStagedWhenThatIsDone() {
        start(1_000, ProcessorRig.pipeline(ProcessorRig.functions("count")), new MemoryStore());
        begin(1, List.of(series(0, 2_500)));
        serve(1, 3);
        rig.begin(2, queue);
        queue.send(2, 0, 0, series(0, 600));
        rig.run();
        assertThat(queue.takeAnswers()).doesNotContain("OK 2/0/0");

        serve(1, Integer.MAX_VALUE);
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(2_500);
        begin2();
    }

    private void begin2() {
        parts.put(0, series(0, 600));
        send(2, 0, Slice.WHOLE);
        serve(2, Integer.MAX_VALUE);
        assertThat(rig.commit(2, 0).accounts().aggregated()).isEqualTo(600);
    }

    @Test
    void anotherProcessorThatBeginsAnewAfterSomeSlicesWritesTheSameRows() {
        MemoryStore store = new MemoryStore();
        start(1_000, ProcessorRig.pipeline(ProcessorRig.functions("count", "sum")), store);
        begin(1, List.of(series(0, 3_000)));
        serve(1, 6);
        assertThat(rig.count(ProcessorCounter.FLUSHER_SLICES)).isPositive();
        assertThat(rig.commit(1, 0)).isNull();

        sent = 0;
        start(700, ProcessorRig.pipeline(ProcessorRig.functions("count", "sum")), store);
        begin(1, List.of(series(0, 3_000)));
        serve(1, Integer.MAX_VALUE);

        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(3_000);
        assertThat(rig.commit(1, 0).rows()).isEqualTo(6_000);
        assertThat(store.values()).hasSize(6_000).containsEntry(row("sum", "h2999", 1), 2_999.0);
    }

    @Test
    void rejectsWithAccountsWhatNoDivisionMakesFit() throws Exception {
        start(8, ProcessorRig.pipeline(ProcessorRig.functions("count")), new MemoryStore());
        List<List<PointBytes>> ofParts = new ArrayList<>();
        for (int part = 0; part < 9; part++) {
            ofParts.add(
                    // 9 groups with the same key, one per part
                    List.of(point("everywhere", 1), point("only" + part, 1)));
        }
        begin(1, ofParts);
        serve(1, Integer.MAX_VALUE);

        assertThat(rig.commit(1, 0).accounts().rejected()).isEqualTo(9);
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(9);
        assertThat(rig.store.values())
                .hasSize(9)
                .containsEntry(row("count", "only3", 1), 1.0)
                .doesNotContainKey(row("count", "everywhere", 1));
        assertThat(rig.count(ProcessorCounter.STAGING_PARTS_REJECTED)).isEqualTo(9);
        assertThat(rig.errors).singleElement().asString().contains("processor.max_groups = 8", "chimera replay");
        assertThat(Files.readString(folder.resolve("dead-letter-points.jsonl")))
                .contains("\"cycle\":1", "\"points\":1", "/4096");
    }

    @Test
    void dividesAShardForWhichACompositionHasNoRoom() {
        PipelineConfig pipeline = Sections.of(
                PipelineConfig.class,
                "after",
                Sections.of(
                        AfterConfig.class,
                        "partitions",
                        8,
                        "blocks",
                        Map.of("block", Sections.of(BlockConfig.class, "type", "copy"))),
                "aggregate",
                Sections.of(AggregateConfig.class, "functions", List.of("sum")),
                "stores",
                List.of("memory"));
        start(50, new TreeMap<>(Map.of("all", pipeline)), new MemoryStore());
        begin(1, List.of(series(0, 200)));
        serve(1, Integer.MAX_VALUE);

        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(200);
        assertThat(rig.store.values()).hasSize(200).containsEntry(row("sum", "h199", 1), 199.0);
        assertThat(rig.count(ProcessorCounter.STAGING_SHARDS_DIVIDED)).isPositive();
    }
}
