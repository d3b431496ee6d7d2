package io.chimera.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.DataPoint;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.composition.Blocks;
import io.chimera.common.composition.InstalledTypes;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.PastFrame;
import io.chimera.queue.dispatch.FakeProcessor.PastPart;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.peer.PeerNetwork;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Past cycles for a processor that rebuilds state, through the whole channel manager: cycles 2 to 4 of 1000 points
 * each.
 */
final class PastPassesTest {
    private static final long SELF = 1;
    private static final long PROCESSOR = 11;
    private static final int POINTS = 1_000;
    private static final int PARTITIONS = 4;
    private static final long LONG_MS = 60_000;

    private final ManualClock clock = new ManualClock();
    private final MemoryNetwork network = new MemoryNetwork();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final StoredCycles stored = new StoredCycles();
    private int requests;
    private FakeProcessor processor;
    private ChannelManager manager;

    @BeforeEach
    void start() {
        Endpoint address = new Endpoint("p1", 1);
        cluster.join().announce(new ProcessorMember("p1", PROCESSOR, address.toString(), "", "", false));
        processor = new FakeProcessor(PROCESSOR, network.transport("p1"), address);
        ChimeraConfig config = new ConfigLoader(Map.of()).parse("test.yaml", """
            stores: { s: {} }
            pipelines:
              stateful: { stores: s, after: { partitions: 4, blocks: { c: { type: counter } } }, rows: { prefix: a. } }
              without: { stores: s, rows: { prefix: b. } }
            """, List.of());
        manager = new ChannelManager(
                new PeerNetwork(
                        new LocalNode("test", "q1", SELF, SELF), cluster.join(), network.transport("q1"), clock),
                stored,
                new ConfigurationRegistry<>(
                        new ConfigurationDigest("d"),
                        new Routing(
                                config.pipelines(),
                                Set.of("influx"),
                                new InstalledTypes(List.of(Blocks.counter())),
                                counters,
                                (point, reason) -> {})),
                counters);
        stored.append("cpu", 4 * POINTS);
        for (long cycle = 2; cycle <= 4; cycle++) {
            stored.past.put(cycle, past(cycle, 2));
        }
        settle();
    }

    @AfterEach
    void findsNoDefect() {
        assertThat(processor.defects).isEmpty();
        manager.onClose();
    }

    private static PastCycle past(long cycle, int parts) {
        return new PastCycle(
                cycle,
                CycleTime.of(cycle * 1_000),
                parts,
                Positions.of(StoredCycles.STREAM, (cycle - 1) * POINTS),
                Positions.of(StoredCycles.STREAM, cycle * POINTS));
    }

    private void ask(int pipeline, long first, long last, long horizonMs, int... partitions) {
        askBy(new ConfigurationDigest("d").fingerprint(), pipeline, first, last, horizonMs, partitions);
    }

    private void askBy(int fingerprint, int pipeline, long first, long last, long horizonMs, int... partitions) {
        BitSet wanted = new BitSet();
        IntStream.of(partitions).forEach(wanted::set);
        processor.ask(new PastFrame.Request(
                PROCESSOR, ++requests, fingerprint, pipeline, new PastFrame.Cycles(first, last, horizonMs), wanted));
        settle();
    }

    private void settle() {
        for (int i = 0; i < 500; i++) {
            clock.advanceMs(10);
            manager.doWork();
            network.step();
            network.step();
        }
    }

    @Test
    void sendsEveryRecordOfACycleToTheOneWhoHasItsPartition() {
        List<Long> values = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            processor.pastParts.clear();
            ask(0, 3, 4, LONG_MS, partition);

            assertThat(processor.pastParts).extracting(PastPart::part).containsExactly(0, 1);
            for (PastPart part : processor.pastParts) {
                assertThat(part)
                        .returns(3L, PastPart::cycle)
                        .returns(2, PastPart::parts)
                        .returns(3_000L, PastPart::timeMs);
                List<Long> ofPart =
                        part.points().stream().map(DataPoint::timeNs).toList();
                assertThat(ofPart).as("as they were journaled").isSorted().hasSizeGreaterThan(50);
                values.addAll(ofPart);
            }
        }

        assertThat(values)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(2 * POINTS, 3 * POINTS)
                        .mapToObj(i -> (long) i)
                        .toList());
        assertThat(counters.get(QueueCounter.DISPATCH_PAST_CYCLES)).isEqualTo(PARTITIONS);
        assertThat(processor.pastNones).isEmpty();
    }

    @Test
    void passesOverCyclesThatAreOlderThanTheHorizon() {
        ask(0, 2, 4, 1_001, 0, 1, 2, 3);

        assertThat(processor.pastParts).extracting(PastPart::cycle).containsExactly(3L, 3L);
    }

    /** While all queue nodes of a group are absent, cycles have no part of this group. */
    @Test
    void passesOverAnOldCycleWithoutPartsOfItsGroup() {
        stored.past.put(2L, past(2, 0));
        ask(0, 2, 4, 1_001, 0, 1, 2, 3);

        assertThat(processor.pastNones).isEmpty();
        assertThat(processor.pastParts).extracting(PastPart::cycle).containsExactly(3L, 3L);
    }

    @Test
    void sendsByThePipelinesThatTheRequestNamesAndNothingByThoseThatItDoesNotHold() {
        askBy(new ConfigurationDigest("d").fingerprint(), 0, 3, 4, LONG_MS, 0, 1, 2, 3);
        assertThat(processor.pastParts).extracting(PastPart::cycle).containsExactly(3L, 3L);

        processor.pastParts.clear();
        askBy(new ConfigurationDigest("e").fingerprint(), 0, 3, 4, LONG_MS, 0, 1, 2, 3);
        assertThat(processor.pastParts).isEmpty();
        assertThat(processor.pastNones).hasSize(1);
    }

    @Test
    void saysWhichCycleItDoesNotHave() {
        ask(0, 1, 4, LONG_MS, 0);
        ask(0, 5, 7, LONG_MS, 0);
        ask(0, 5, 4, LONG_MS, 0);
        stored.past.put(3L, past(3, 0));
        ask(0, 3, 4, LONG_MS, 0); // the number of parts of cycle 3 is unknown

        assertThat(processor.pastNones).containsExactly(1L, 5L, 5L, 3L);
        assertThat(processor.pastParts).isEmpty();
    }

    @Test
    void waitsForACycleThatItsJournalStillCopies() {
        stored.coversCycles = false;
        ask(0, 3, 4, LONG_MS, 0);
        assertThat(processor.pastParts).isEmpty();
        assertThat(processor.pastNones).isEmpty();

        stored.coversCycles = true;
        settle();

        assertThat(processor.pastParts).hasSize(2);
    }

    @Test
    void aNewRequestOfAPipelineReplacesTheOneBefore() {
        stored.coversCycles = false;
        ask(0, 2, 4, LONG_MS, 0);
        ask(0, 4, 4, LONG_MS, 0);
        stored.coversCycles = true;
        settle();

        assertThat(processor.pastParts).extracting(PastPart::cycle).containsExactly(4L, 4L);
    }
}
