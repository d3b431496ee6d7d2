package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.CONFIG;
import static io.chimera.processor.ProcessorRig.functions;
import static io.chimera.processor.ProcessorRig.points;
import static io.chimera.processor.ProcessorRig.row;
import static io.chimera.processor.ProcessorRig.timeMs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.composition.Blocks;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.config.pipeline.BlockConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.common.wire.PastFrame;
import io.chimera.testkit.store.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A processor that holds the pipelines of two digests. */
final class PipelineChangeTest {
    private static final ConfigurationDigest OLD = new ConfigurationDigest("digest");
    private static final ConfigurationDigest NEW = new ConfigurationDigest("new");

    /** The only row: all points of the tests have the same time, so the last value of the counter stays. */
    private static final String COUNT = "cpu.count{host=a}@" + timeMs(1);

    @TempDir
    Path folder;

    private final PluginHost plugins = PluginHost.unfenced(PluginRegistry.with(List.of(Blocks.counter())));
    private ProcessorRig world;
    private QueueNodeFake queue;

    private void start(Map<String, PipelineConfig> pipelines) {
        world = new ProcessorRig(
                folder, CONFIG, new TreeMap<>(pipelines), plugins, Map.of("memory", new MemoryStore()));
        queue = world.queue(11);
    }

    private void hold(ConfigurationDigest digest, Map<String, PipelineConfig> pipelines) {
        world.node.hold(digest, new TreeMap<>(pipelines), plugins);
    }

    private static PipelineConfig computing(String function) {
        return Sections.of(PipelineConfig.class, "aggregate", functions(function), "stores", List.of("memory"));
    }

    private static PipelineConfig counting(String block) {
        return Sections.of(
                PipelineConfig.class,
                "after",
                Sections.of(
                        AfterConfig.class,
                        "partitions",
                        8,
                        "blocks",
                        Map.of(block, Sections.of(BlockConfig.class, "type", "counter"))),
                "aggregate",
                functions(),
                "stores",
                List.of("memory"));
    }

    @AfterEach
    void close() {
        assertThat(world.errors).isEmpty();
        world.close();
    }

    private void run(long cycle, ConfigurationDigest digest, int pipeline, double... values) {
        world.begin(cycle, queue, digest);
        queue.by(digest).begin(cycle, 0, 0).data(pipeline, points("a", values)).end();
        world.run();
    }

    private void close(long cycle, ConfigurationDigest digest) {
        world.conductor.verify(cycle, LowMark.Totals.ZERO);
        world.conductor.advance(new LowMark(cycle, timeMs(cycle), Positions.NONE, digest, LowMark.Totals.ZERO));
        world.run();
    }

    @Test
    void processesEachCycleWithThePipelinesThatItNames() {
        start(Map.of("p", computing("sum")));
        run(1, OLD, 0, 1, 2);
        hold(NEW, Map.of("p", computing("max")));
        run(2, OLD, 0, 3, 4);
        run(3, NEW, 0, 5, 6);

        assertThat(world.store.values())
                .isEqualTo(Map.of(row("sum", "a", 1), 3.0, row("sum", "a", 2), 7.0, row("max", "a", 3), 6.0));
    }

    @Test
    void aFrameByOtherPipelinesWaitsUntilTheViewShowsItsCycle() {
        start(Map.of("p", computing("sum")));
        run(1, OLD, 0, 1);
        hold(NEW, Map.of("a", computing("sum"), "p", computing("max")));
        queue.by(NEW).begin(2, 0, 0).data(1, points("a", 7, 8)).end();
        world.run();
        assertThat(world.count(ProcessorCounter.STAGING_WAITS)).isPositive();

        world.begin(2, queue, NEW);
        world.run();
        assertThat(world.store.values()).containsEntry(row("max", "a", 2), 8.0).hasSize(2);
        assertThat(world.count(ProcessorCounter.STAGING_PARTS_MISMATCHED)).isZero();
    }

    @Test
    void passesOverFramesByOtherPipelinesThanThoseOfTheirCycleAndAsksForThePart() {
        start(Map.of("p", computing("sum")));
        hold(NEW, Map.of("p", computing("max")));
        world.begin(1, queue, OLD);
        queue.by(NEW).begin(1, 0, 0).data(0, points("a", 1, 2)).end();
        queue.by(new ConfigurationDigest("of a third file"))
                .begin(1, 0, 0)
                .data(0, points("a", 3))
                .end();
        world.run();
        assertThat(world.store.values()).isEmpty();
        assertThat(queue.takeAnswers()).contains("NEED 1/0/0");

        queue.by(OLD).begin(1, 0, 0).data(0, points("a", 1, 2)).end();
        world.run();
        assertThat(world.store.values()).containsOnlyKeys(row("sum", "a", 1));
    }

    @Test
    void aPipelineThatDidNotChangeKeepsItsStateInAnotherPlace() {
        start(Map.of("p", counting("block")));
        run(1, OLD, 0, 1, 2);
        hold(NEW, Map.of("a", computing("sum"), "p", counting("block")));
        close(1, OLD);
        run(2, NEW, 1, 3);

        assertThat(world.store.values()).containsEntry(COUNT, 3.0);
        assertThat(queue.takePast()).isNull();
        close(2, NEW);
        run(3, NEW, 1, 4);
        assertThat(world.store.values()).as("when the old ones are gone").containsEntry(COUNT, 4.0);
    }

    @Test
    void aPipelineThatChangedBuildsItsStateOutOfThePastByItsNewBlocks() {
        start(Map.of("p", counting("block")));
        run(1, OLD, 0, 1, 2);
        hold(NEW, Map.of("a", computing("sum"), "p", counting("other")));
        close(1, OLD);
        announcePast();
        run(2, NEW, 1, 3);

        PastFrame.Request request = queue.takePast();
        assertThat(request)
                .returns(NEW.fingerprint(), PastFrame.Request::fingerprint)
                .returns(1, PastFrame.Request::pipeline)
                .returns(1L, asked -> asked.cycles().last());
        queue.sendPast(request, 1, timeMs(1), 0, List.of(points("a", 1, 2)));
        world.run();
        assertThat(world.store.values()).containsEntry(COUNT, 3.0);
    }

    @Test
    void letsGoOfPipelinesThatNoOpenCycleNamesOnceOthersAreInForce() {
        start(Map.of("p", counting("block")));
        run(1, OLD, 0, 1, 2);
        PluginHost others = PluginHost.unfenced(plugins.registry());
        SortedMap<String, PipelineConfig> next = new TreeMap<>(Map.of("p", counting("other")));
        world.node.hold(NEW, next, others);
        assertThat(digests()).containsExactly(NEW, OLD);
        assertThat(world.node.plugins()).containsExactlyInAnyOrder(plugins, others);

        announcePast();
        close(1, OLD);
        world.begin(2, queue, NEW);
        world.run();
        assertThat(digests()).containsExactly(NEW);
        assertThat(world.node.plugins()).containsExactly(others);
    }

    @Test
    void announcesLoadedPipelinesInASecondStepAndKeepsAnnouncedOnes() {
        start(Map.of("p", computing("sum")));
        SortedMap<String, PipelineConfig> next = new TreeMap<>(Map.of("p", computing("max")));
        world.node.load(NEW, next, plugins);
        assertThat(digests()).containsExactly(OLD);

        world.node.announce(NEW);
        assertThat(digests()).containsExactly(NEW, OLD);

        world.node.load(OLD, new TreeMap<>(Map.of("p", computing("sum"))), plugins);
        assertThat(digests()).containsExactly(OLD, NEW);
    }

    @Test
    void refusesMoreThanFourThatAreNotInForce() {
        start(Map.of("p", computing("sum")));
        run(1, OLD, 0, 1);
        hold(new ConfigurationDigest("b"), Map.of("p", computing("max")));
        hold(new ConfigurationDigest("c"), Map.of("p", computing("min")));
        hold(new ConfigurationDigest("d"), Map.of("p", computing("count")));
        hold(new ConfigurationDigest("b"), Map.of("p", computing("max")));

        assertThatThrownBy(() -> hold(new ConfigurationDigest("e"), Map.of("p", computing("mean"))))
                .hasMessageContaining("already has 4 configurations");
        assertThat(digests()).extracting(ConfigurationDigest::text).containsExactly("b", "d", "c", OLD.text());
    }

    private List<ConfigurationDigest> digests() {
        return world.cluster.truth().processors().get(0).digests();
    }

    private void announcePast() {
        world.announce(queue.session(), new CycleSpan(1, 1));
    }
}
