package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.CONFIG;
import static io.chimera.processor.ProcessorRig.points;
import static io.chimera.processor.ProcessorRig.timeMs;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.composition.Blocks;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.BlockConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.common.wire.PastFrame;
import io.chimera.common.wire.PointBytes;
import io.chimera.testkit.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Takes over in cycle 3 the state of another processor's cycles 1 and 2, whose records a queue node sends again. */
final class PastCycleLoaderTest {
    private static final long OTHER = 0xDEADL;
    private static final CycleGroups.Parts MAIN = new CycleGroups.Parts(JournalGroup.DEFAULT, 0, 1);
    private static final CycleGroups.Parts EAST = new CycleGroups.Parts(new JournalGroup("east"), 1, 1);
    private static final String ROW = "cpu.count{host=a}@" + timeMs(1);

    @TempDir
    Path folder;

    private ProcessorRig world;
    private QueueNodeFake queue;

    @BeforeEach
    void takeOver() {
        PipelineConfig pipeline = Sections.of(
                PipelineConfig.class,
                "after",
                Sections.of(
                        AfterConfig.class,
                        "partitions",
                        8,
                        "blocks",
                        Map.of("block", Sections.of(BlockConfig.class, "type", "counter"))),
                "aggregate",
                Sections.of(AggregateConfig.class, "functions", List.of()),
                "stores",
                List.of("memory"));
        world = new ProcessorRig(
                folder,
                CONFIG,
                new TreeMap<>(Map.of("all", pipeline)),
                PluginHost.unfenced(PluginRegistry.with(List.of(Blocks.counter()))),
                Map.of("memory", new MemoryStore()));
        queue = world.queue(11);
        world.announce(queue.session(), new CycleSpan(1, 2));
        world.begin(1, List.of(queue.session()), List.of(OTHER));
        world.begin(2, List.of(queue.session()), List.of(OTHER));
        world.begin(3, queue);
        queue.begin(3, 0, 0).data(0, points("a", 5)).end();
        world.run();
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void buildsTheStateOutOfPastCyclesAndEmitsNothingOfThem() {
        sendFirst(0);
        PastFrame.Request second = queue.takePast();
        assertThat(second.cycles().first()).isEqualTo(2);
        assertThat(world.store.values())
                .as("nothing of cycle 3 ahead of its turn")
                .isEmpty();
        queue.sendPast(second, 2, timeMs(2), 0, List.of(points("a", 4)));
        world.run();

        assertThat(world.store.values()).containsEntry(ROW, 5.0);
        assertThat(world.commit(3, 0).accounts().aggregated()).isEqualTo(1);
        assertThat(world.count(ProcessorCounter.COMPOSER_REBUILDS)).isEqualTo(1);
        assertThat(world.count(ProcessorCounter.COMPOSER_REBUILDS_SHORT)).isZero();
        assertThat(world.count(ProcessorCounter.COMPOSER_PAST_CYCLES)).isEqualTo(2);
    }

    @Test
    void asksAgainWhenWhatCameIsBroken() {
        sendFirst(1);
        assertThat(world.count(ProcessorCounter.COMPOSER_PAST_CYCLES)).isZero();
        world.run(Duration.ofMillis(200));
        sendFirst(0);
        queue.sendPast(queue.takePast(), 2, timeMs(2), 0, List.of(points("a", 4)));
        world.run();

        assertThat(world.store.values()).containsEntry(ROW, 5.0);
    }

    @Test
    void passesOverWhatComesTooLate() {
        PastFrame.Request first = queue.takePast();
        world.run(Duration.ofSeconds(6)); // the request times out
        queue.sendPast(first, 1, timeMs(1), 0, List.of(points("a", 1, 2), points("a", 3)));
        world.run();
        assertThat(world.count(ProcessorCounter.COMPOSER_PAST_CYCLES)).isZero();

        sendFirst(0);
        queue.sendPast(queue.takePast(), 2, timeMs(2), 0, List.of(points("a", 4)));
        world.run();

        assertThat(world.store.values()).containsEntry(ROW, 5.0);
    }

    @Test
    void joinsThePartsOfTwoJournalGroups() {
        QueueNodeFake east = east();
        PastFrame.Request first = askBoth();
        sendGroup(queue, first, 1, MAIN);
        assertThat(world.count(ProcessorCounter.COMPOSER_PAST_CYCLES)).isZero();
        sendGroup(east, east.takePast(), 1, EAST);
        assertThat(world.count(ProcessorCounter.COMPOSER_PAST_CYCLES)).isEqualTo(1);

        sendGroup(queue, queue.takePast(), 2, MAIN);
        sendGroup(east, east.takePast(), 2, EAST);

        assertThat(world.store.values()).containsEntry(ROW, 7.0);
    }

    /** A node that does not know the last cycles sends an older cycle, whose parts have the numbers of other groups. */
    @Test
    void takesTheNewestCycleWhenPartsOfTwoCyclesHaveTheSameNumbers() {
        QueueNodeFake east = east();
        PastFrame.Request first = askBoth();
        sendParts(queue, first, 2, List.of(points("a", 1), points("a", 2, 3)), MAIN);
        sendParts(east, east.takePast(), 1, List.of(points("a", 9)), new CycleGroups.Parts(EAST.group(), 0, 1));

        sendGroup(queue, queue.takePast(), 2, MAIN);
        sendGroup(east, east.takePast(), 2, EAST);

        assertThat(world.store.values()).containsEntry(ROW, 4.0);
    }

    /** Only the group of the failed node asks its next node. */
    @Test
    void replacesTheNodeOfTheGroupThatLacksTheCycle() {
        QueueNodeFake east = east();
        QueueNodeFake other = world.queue(13);
        world.announce(EAST.group(), other.session(), new CycleSpan(1, 2));
        PastFrame.Request first = askBoth();
        sendGroup(queue, first, 1, MAIN);
        east.sendPastNone(east.takePast(), 1);
        world.run();
        world.run(Duration.ofSeconds(1));

        assertThat(east.takePast()).isNull();
        sendGroup(queue, queue.takePast(), 1, MAIN);
        sendGroup(other, other.takePast(), 1, EAST);

        assertThat(world.count(ProcessorCounter.COMPOSER_PAST_CYCLES)).isEqualTo(1);
    }

    /** A silent node is replaced; the group of the node that has answered keeps its node. */
    @Test
    void replacesTheSilentNode() {
        east();
        QueueNodeFake other = world.queue(13);
        world.announce(EAST.group(), other.session(), new CycleSpan(1, 2));
        sendGroup(queue, askBoth(), 1, MAIN);
        world.run(Duration.ofSeconds(6));

        sendGroup(queue, queue.takePast(), 1, MAIN);
        sendGroup(other, other.takePast(), 1, EAST);

        assertThat(world.count(ProcessorCounter.COMPOSER_PAST_CYCLES)).isEqualTo(1);
    }

    /** Adds a queue node of another group. */
    private QueueNodeFake east() {
        QueueNodeFake east = world.queue(12);
        world.announce(EAST.group(), east.session(), new CycleSpan(1, 2));
        return east;
    }

    /** Lets the request before the change time out, and returns the next request. */
    private PastFrame.Request askBoth() {
        queue.takePast();
        world.run(Duration.ofSeconds(6));
        return queue.takePast();
    }

    /** Sends the part of a group: part 0 with one record, or part 1 with two records. */
    private void sendGroup(QueueNodeFake from, PastFrame.Request request, long cycle, CycleGroups.Parts own) {
        assertThat(request.cycles().first()).isEqualTo(cycle);
        sendParts(from, request, cycle, List.of(points("a", 1), points("a", 2, 3)), own);
    }

    private void sendParts(
            QueueNodeFake from,
            PastFrame.Request request,
            long cycle,
            List<List<PointBytes>> parts,
            CycleGroups.Parts own) {
        from.sendPast(request, cycle, timeMs(cycle), 0, parts, own);
        world.run();
    }

    /** Sends past cycle 1: two parts, three records. */
    private void sendFirst(long spoilt) {
        PastFrame.Request request = queue.takePast();
        assertThat(request.cycles().first()).isEqualTo(1);
        assertThat(request.partitions().cardinality()).isEqualTo(8);
        queue.sendPast(request, 1, timeMs(1), spoilt, List.of(points("a", 1, 2), points("a", 3)));
        world.run();
    }
}
