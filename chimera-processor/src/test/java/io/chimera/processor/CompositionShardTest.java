package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.CONFIG;
import static io.chimera.processor.ProcessorRig.point;
import static io.chimera.processor.ProcessorRig.points;
import static io.chimera.processor.ProcessorRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.BlockConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.testkit.store.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards of a pipeline with a composition. */
final class CompositionShardTest {
    @TempDir
    Path folder;

    private ProcessorRig rig;

    private ProcessorRig rig(String type, String... functions) {
        return rig(type, List.of(), functions);
    }

    private ProcessorRig rig(String type, List<String> keys, String... functions) {
        PipelineConfig pipeline = Sections.of(
                PipelineConfig.class,
                "after",
                Sections.of(
                        AfterConfig.class,
                        "partitions",
                        8,
                        "keys",
                        keys,
                        "blocks",
                        Map.of("block", Sections.of(BlockConfig.class, "type", type))),
                "aggregate",
                Sections.of(AggregateConfig.class, "functions", List.of(functions)),
                "stores",
                List.of("memory"));
        rig = new ProcessorRig(
                folder,
                CONFIG,
                new TreeMap<>(Map.of("all", pipeline)),
                PluginHost.unfenced(PluginRegistry.with(List.of(new SpikyType(), new BeatingType()))),
                Map.of("memory", new MemoryStore()));
        return rig;
    }

    @AfterEach
    void close() {
        rig.close();
    }

    /** Passes points on, but throws at the value 13. */
    private static final class SpikyType implements TransformType {
        @Override
        public String name() {
            return "spiky";
        }

        @Override
        public Transform create(PluginContext context) {
            return (point, out) -> {
                out.pass(0);
                if (point.number(0) == 13) {
                    throw new IllegalArgumentException("thirteen");
                }
            };
        }
    }

    /** Emits a row at the end of every cycle, with or without input. */
    private static final class BeatingType implements TransformType {
        @Override
        public String name() {
            return "beating";
        }

        @Override
        public Transform create(PluginContext context) {
            return new Transform() {
                private long points;

                @Override
                public void apply(PointView point, Outlet out) {
                    points++;
                }

                @Override
                public void endCycle(long timeNs, Outlet out) {
                    out.point(0)
                            .metric("beat")
                            .tag("host", "a")
                            .field("points", points)
                            .end();
                    points = 0;
                }
            };
        }
    }

    @Test
    void theReplayOfAnotherPipelineLeavesTheRowsOfACompositionAlone() {
        ProcessorRig world = rig("beating");
        QueueNodeFake queue = world.queue(11);
        world.begin(1, queue);
        queue.begin(1, 0, 0).data(0, points("a", 1, 2)).end();
        world.run();
        String row = "beat.points{host=a}@" + ProcessorRig.timeMs(1);
        assertThat(world.store.values()).containsExactly(Map.entry(row, 2.0));

        world.beginReplay(Cycle.REPLAYS + 1, 1, "another", queue);
        queue.begin(Cycle.REPLAYS + 1, 0, 0).end();
        world.run();
        assertThat(world.count(ProcessorCounter.FLUSHER_SHARDS_COMMITTED)).isEqualTo(2);
        assertThat(world.store.values()).containsExactly(Map.entry(row, 2.0));
    }

    @Test
    void whatLeavesACompositionIsAggregated() {
        ProcessorRig world = rig("copy", "count", "sum");
        QueueNodeFake queue = world.queue(11);
        world.begin(1, queue);
        queue.begin(1, 0, 0)
                .data(0, points("a", 1, 2))
                .data(0, List.of(point("b", 5)))
                .end();
        world.run();

        assertThat(world.store.values())
                .containsEntry(row("count", "a", 1), 2.0)
                .containsEntry(row("sum", "a", 1), 3.0)
                .containsEntry(row("sum", "b", 1), 5.0)
                .hasSize(4);
        assertThat(world.commit(1, 0))
                .extracting(commit -> commit.accounts().aggregated())
                .isEqualTo(3L);
        assertThat(world.count(ProcessorCounter.COMPOSER_POINTS_EMITTED)).isEqualTo(3);
    }

    @Test
    void aPointIsGivenOnceForEachOfItsKeysAndCountsOnce() {
        ProcessorRig world = rig("copy", List.of("host", "user", "nothing"), "count");
        QueueNodeFake queue = world.queue(11);
        world.begin(1, queue);
        queue.begin(1, 0, 0).data(0, points("a", 1, 2)).end();
        world.run();

        assertThat(world.store.values()).containsExactly(Map.entry(row("count", "a", 1), 4.0));
        assertThat(world.commit(1, 0))
                .extracting(commit -> commit.accounts().aggregated())
                .isEqualTo(2L);
    }

    @Test
    void withoutFunctionsPointsBecomeRowsOfTheirOwnTime() {
        ProcessorRig world = rig("copy");
        QueueNodeFake queue = world.queue(11);
        world.begin(1, queue);
        queue.begin(1, 0, 0).end();
        world.run();
        world.begin(2, queue);
        queue.begin(2, 0, 0).data(0, points("a", 1, 2)).end();
        world.run();

        assertThat(world.store.values())
                .as("the last one of a millisecond")
                .containsExactly(Map.entry("cpu.user{host=a}@" + ProcessorRig.timeMs(1), 2.0));
        assertThat(world.commit(2, 0))
                .extracting(commit -> commit.accounts().aggregated())
                .isEqualTo(2L);
        assertThat(world.count(ProcessorCounter.COMPOSER_ROWS_REPLACED)).isEqualTo(1);
    }

    @Test
    void aPointAtWhichABlockThrowsGoesToTheDeadLettersWithAllThatItGave() throws Exception {
        ProcessorRig world = rig("spiky", "sum");
        QueueNodeFake queue = world.queue(11);
        world.begin(1, queue);
        queue.begin(1, 0, 0).data(0, points("a", 1, 13, 2)).end();
        world.run();

        assertThat(world.store.values()).containsExactly(Map.entry(row("sum", "a", 1), 3.0));
        assertThat(world.commit(1, 0))
                .returns(2L, commit -> commit.accounts().aggregated())
                .returns(1L, commit -> commit.accounts().rejected());
        assertThat(Files.readString(folder.resolve("dead-letter-blocks-all.jsonl")))
                .contains("thirteen", "\"block\":\"block\"", "\"host\":\"a\"");
        assertThat(world.errors).singleElement().asString().contains("Block block of pipeline all");
    }
}
