package io.chimera.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.DataPoint;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.composition.InstalledTypes;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.Slice;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.peer.PeerNetwork;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.channel.MemoryTransport;
import io.chimera.testkit.cluster.MemoryCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChannelManagerTest {
    private static final long SELF = 1;
    private static final long STREAM = StoredCycles.STREAM;
    private static final Endpoint FIRST = new Endpoint("p1", 1);
    private static final Endpoint SECOND = new Endpoint("p2", 1);

    private static final AggregateConfig COMBINING = Sections.of(
            AggregateConfig.class,
            "functions",
            List.of("count", "sum"),
            "late_after",
            Duration.ofSeconds(1),
            "combine_after",
            100);

    private final ManualClock clock = new ManualClock();
    private final MemoryNetwork network = new MemoryNetwork();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Lead lead = cluster.lead();
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final StoredCycles stored = new StoredCycles();
    private final MemoryTransport firstTransport = network.transport("p1");
    private final FakeProcessor first = new FakeProcessor(11, firstTransport, FIRST);
    private final FakeProcessor second = new FakeProcessor(12, network.transport("p2"), SECOND);
    private final MemoryCluster.Node firstMember = join(11, FIRST);
    private final MemoryCluster.Node secondMember = join(12, SECOND);
    private final ConfigurationRegistry<Routing> held = new ConfigurationRegistry<>(
            new ConfigurationDigest(""),
            routing(Map.of(
                    "cpu", Sections.of(PipelineConfig.class, "where", "cpu*"),
                    "hot", Sections.of(PipelineConfig.class, "where", "hot", "aggregate", COMBINING),
                    "idle", Sections.of(PipelineConfig.class, "where", "*idle"))));
    private final ChannelManager manager = new ChannelManager(
            new PeerNetwork(new LocalNode("test", "q1", SELF, SELF), cluster.join(), network.transport("q1"), clock),
            stored,
            held,
            counters);

    @AfterEach
    void findsNoDefect() {
        assertThat(first.defects).isEmpty();
        assertThat(second.defects).isEmpty();
        manager.onClose();
    }

    @Test
    void sendsEveryRecordOfItsPartToItsShard() {
        stored.append("cpu", 1_000);
        begin(1_000, List.of(SELF), List.of(11L, 12L));

        settle();

        assertThat(first.parts).hasSize(1);
        assertThat(second.parts).hasSize(1);
        assertThat(primary()).isEqualTo(1_000);
        assertThat(hosts(first)).doesNotContainAnyElementsOf(hosts(second));
        assertThat(hosts(first)).hasSizeGreaterThan(300);
        assertThat(hosts(second)).hasSizeGreaterThan(300);
    }

    @Test
    void sendsOnlyThePartThatItOwns() {
        stored.append("cpu", 1_000);
        begin(1_000, List.of(SELF, 2L), List.of(11L, 12L));

        settle();

        assertThat(first.parts).extracting(FakeProcessor.Part::part).containsExactly(0);
        assertThat(primary()).isBetween(300L, 700L);
    }

    @Test
    void sendsOnlyWhatLiesBetweenTheCuts() {
        stored.append("cpu", 100);
        begin(40, List.of(SELF), List.of(11L));
        begin(90, List.of(SELF), List.of(11L));

        settle();

        assertThat(first.parts).extracting(FakeProcessor.Part::primary).containsExactlyInAnyOrder(40L, 50L);
    }

    @Test
    void countsARecordOnceHoweverManyPipelinesTakeIt() {
        stored.append("cpu.idle", 10);
        stored.append("mem", 5);
        begin(15, List.of(SELF), List.of(11L));

        settle();

        FakeProcessor.Part part = first.parts.get(0);
        assertThat(part.primary()).isEqualTo(10);
        assertThat(part.copies()).isEqualTo(20);
        assertThat(part.filtered()).isEqualTo(5);
    }

    @Test
    void waitsUntilTheJournalCoversTheCycle() {
        stored.append("cpu", 10);
        stored.coversCycles = false;
        begin(10, List.of(SELF), List.of(11L));
        settle();
        assertThat(first.parts).isEmpty();

        stored.coversCycles = true;
        settle();

        assertThat(first.parts).hasSize(1);
    }

    @Test
    void sendsAgainOverANewConnectionWhatWasNotHeld() {
        stored.append("cpu", 10);
        begin(10, List.of(SELF), List.of(11L, 12L));
        settle();
        first.answer(PartFrame.OK, first.parts.get(0));
        settle();
        network.cut("q1", "p1");
        network.cut("q1", "p2");

        settle();

        assertThat(first.parts).hasSize(1);
        assertThat(second.parts).hasSize(2);
        assertThat(second.parts.get(1)).isEqualTo(second.parts.get(0));
    }

    @Test
    void sendsAgainWhatTheProcessorLacks() {
        stored.append("cpu", 10);
        begin(10, List.of(SELF), List.of(11L));
        settle();

        first.answer(PartFrame.NEED, first.parts.get(0));
        settle();

        assertThat(first.parts).hasSize(2);
        assertThat(counters.get(QueueCounter.DISPATCH_NEEDS)).isEqualTo(1);
    }

    @Test
    void everyRecordOfAShardIsInOneOfItsSlicesAndCountedOnce() {
        stored.append("cpu.idle", 1_000, 400);
        stored.append("mem", 5);
        begin(1_005, List.of(SELF), List.of(11L, 12L));
        settle();
        FakeProcessor.Part whole = first.parts.get(0);

        for (Slice slice : List.of(new Slice(0, 2), new Slice(1, 4), new Slice(3, 4))) {
            first.need(whole, slice);
            settle();
        }

        List<FakeProcessor.Part> slices = first.parts.subList(1, first.parts.size());
        assertThat(slices).hasSize(3).allMatch(slice -> slice.copies() > 0 && slice.copies() < whole.copies());
        assertThat(slices.stream().flatMap(slice -> slice.points().stream()))
                .containsExactlyInAnyOrderElementsOf(whole.points());
        assertThat(slices.stream().mapToLong(FakeProcessor.Part::primary).sum()).isEqualTo(whole.primary());
        assertThat(slices.stream().mapToLong(FakeProcessor.Part::filtered).sum())
                .isEqualTo(whole.filtered())
                .isEqualTo(5);
    }

    @Test
    void breaksASendingOffWhenAnotherSliceIsNeeded() {
        stored.append("cpu", 1_000, 400);
        begin(1_000, List.of(SELF), List.of(11L));
        settle();
        FakeProcessor.Part whole = first.parts.get(0);
        first.takesFrames = false;
        first.need(whole, new Slice(0, 2));
        settle();
        first.need(whole, new Slice(1, 2));
        settle();
        first.takesFrames = true;
        settle();

        assertThat(first.parts.get(first.parts.size() - 1).copies()).isBetween(1L, whole.copies() - 1);
    }

    @Test
    void anAnswerInTheNameOfAnotherSessionClosesTheChannelAndChangesNothing() {
        stored.append("cpu", 10);
        begin(10, List.of(SELF), List.of(11L, 12L));
        settle();
        int sent = second.parts.size();

        first.answerAs(12, PartFrame.OK, second.parts.get(0));
        settle();
        assertThat(counters.get(QueueCounter.DISPATCH_ANSWERS_REFUSED)).isEqualTo(1);
        network.cut("q1", "p2");
        settle();
        assertThat(second.parts)
                .as("what another said to hold for it is not held")
                .hasSize(2 * sent);
    }

    @Test
    void anAnswerOfAnEarlierIncarnationCountsForNothing() {
        stored.append("cpu", 10);
        begin(10, List.of(SELF), List.of(11L));
        settle();

        first.answerAs(10, PartFrame.OK, first.parts.get(0));
        settle();
        assertThat(first.parts)
                .as("what an earlier incarnation held is not held")
                .hasSize(2);
    }

    @Test
    void sendsTheShardOfADeadProcessorToTheOneThatTakesItOver() {
        stored.append("cpu", 1_000);
        begin(1_000, List.of(SELF), List.of(11L, 12L));
        settle();
        FakeProcessor.Part lost = first.parts.get(0);

        network.crash(firstTransport);
        firstMember.close();
        assertThat(lead.assign(1, new Assignment(1, List.of(SELF), List.of(12L, 12L))))
                .isTrue();
        settle();

        assertThat(second.parts).hasSize(2).contains(lost);
    }

    @Test
    void aProcessorThatTakesNothingDoesNotHoldUpTheOthers() {
        stored.append("cpu", 20_000);
        first.takesFrames = false;
        begin(20_000, List.of(SELF), List.of(11L, 12L));
        settle();
        firstMember.close();
        assertThat(lead.assign(1, new Assignment(1, List.of(SELF), List.of(12L, 12L))))
                .isTrue();

        settle();

        assertThat(second.parts).hasSize(2);
        assertThat(primary()).isEqualTo(20_000);
    }

    @Test
    void sendsToTheOthersWhileALiveProcessorTakesNothingAndToItWhenItTakesAgain() {
        settle(); // waits for the connections
        stored.append("cpu", 200_000);
        first.takesFrames = false;
        begin(200_000, List.of(SELF), List.of(11L, 12L));

        settle();

        assertThat(second.parts).hasSize(1);
        assertThat(counters.get(QueueCounter.DISPATCH_DEFERRED)).isEqualTo(1);

        first.takesFrames = true;
        settle();
        assertThat(first.parts).hasSize(1);
        assertThat(primary()).isEqualTo(200_000);
        assertThat(counters.get(QueueCounter.DISPATCH_TRANSMISSIONS)).isEqualTo(2);
    }

    @Test
    void theOldestCycleIsCompleteBeforeTheNextOneBegins() {
        settle(); // waits for the connections
        stored.append("cpu", 400_000);
        begin(200_000, List.of(SELF), List.of(11L));
        begin(400_000, List.of(SELF), List.of(11L));

        while (first.parts.isEmpty()) {
            manager.doWork();
            network.step();
        }

        assertThat(first.parts.get(0).cycle()).isEqualTo(1);
        assertThat(counters.get(QueueCounter.DISPATCH_TRANSMISSIONS)).isEqualTo(2);
        assertThat(counters.get(QueueCounter.DISPATCH_POINTS))
                .as("the first cycle, and what the window has room for")
                .isLessThan(300_000);
        settle();
        assertThat(first.parts).extracting(FakeProcessor.Part::cycle).containsExactly(1L, 2L);
    }

    @Test
    void dropsNoProcessorFromAPassWhileAllAreSlow() {
        settle(); // waits for the connections
        stored.append("cpu", 200_000);
        first.takesFrames = false;
        second.takesFrames = false;
        begin(200_000, List.of(SELF), List.of(11L, 12L));
        settle();
        assertThat(counters.get(QueueCounter.DISPATCH_STALLS)).isPositive();

        first.takesFrames = true;
        second.takesFrames = true;
        settle();

        assertThat(first.parts).hasSize(1);
        assertThat(second.parts).hasSize(1);
        assertThat(counters.get(QueueCounter.DISPATCH_DEFERRED)).isZero();
        assertThat(counters.get(QueueCounter.DISPATCH_TRANSMISSIONS)).isEqualTo(1);
    }

    @Test
    void givesALaggingProcessorOnePassOfItsOwnAtATimeUntilItKeepsUp() {
        settle(); // waits for the connections
        stored.append("cpu", 220_000);
        first.takesFrames = false;
        begin(200_000, List.of(SELF), List.of(11L, 12L));
        settle();
        begin(210_000, List.of(SELF), List.of(11L, 12L));
        begin(220_000, List.of(SELF), List.of(11L, 12L));
        settle();
        assertThat(second.parts).hasSize(3);
        assertThat(counters.get(QueueCounter.DISPATCH_TRANSMISSIONS)).isEqualTo(4);

        first.takesFrames = true;
        settle();

        assertThat(first.parts).extracting(FakeProcessor.Part::cycle).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(primary()).isEqualTo(220_000);
        assertThat(counters.get(QueueCounter.DISPATCH_DEFERRED)).isEqualTo(1);
        assertThat(manager.isIdle()).isTrue();
    }

    @Test
    void tellsWhichLiveProcessorsItHasNotReachedForSomeSeconds() {
        settle();
        assertThat(manager.unreachable()).isEmpty();

        network.crash(firstTransport);
        manager.doWork();
        network.step();
        manager.doWork();
        assertThat(manager.unreachable()).as("it may have restarted").isEmpty();
        settle();
        assertThat(manager.unreachable()).containsExactly(11L);

        firstMember.close();
        settle();
        assertThat(manager.unreachable()).as("it does not live").isEmpty();
    }

    @Test
    void closesAConnectionThatOpensAfterItsProcessorLeft() {
        manager.doWork();
        firstMember.close();

        settle();

        assertThat(first.isConnected()).isFalse();
        assertThat(second.isConnected()).isTrue();
    }

    @Test
    void closesAChannelThatSpeaksNonsense() {
        settle();
        first.garble();
        settle(); // the channel is closed, and opens again
        stored.append("cpu", 10);
        begin(10, List.of(SELF), List.of(11L));

        settle();

        assertThat(first.parts).hasSize(1);
    }

    @Test
    void forgetsCommittedCycles() {
        stored.append("cpu", 10);
        begin(10, List.of(SELF), List.of(11L));
        settle();

        lead.advance(new LowMark(1, 1, Positions.of(STREAM, 10), LowMark.Totals.ZERO));
        first.answer(PartFrame.NEED, first.parts.get(0));
        settle();

        assertThat(first.parts).hasSize(1);
        assertThat(manager.isIdle()).isTrue();
    }

    @Test
    void sendsNothingToAnotherProcessUnderTheSameAddress() {
        secondMember.close();
        join(99, SECOND);
        stored.append("cpu", 10);
        begin(10, List.of(SELF), List.of(99L));

        settle();

        assertThat(second.parts).isEmpty();
    }

    private Routing routing(Map<String, PipelineConfig> pipelines) {
        return new Routing(pipelines, Set.of("influx"), InstalledTypes.ofClassPath(), counters, (point, reason) -> {});
    }

    @Test
    void sendsACycleByThePipelinesThatItsAssignmentNamesAndNothingOfOneThatItDoesNotHold() {
        stored.append("cpu", 10);
        Positions cut = Positions.of(STREAM, 10);
        Cycle cycle = new Cycle(1, lead.epoch(), 1_000, cut, List.of(SELF), List.of(11L));
        lead.begin(cycle, new Assignment(0, new ConfigurationDigest("new"), List.of(SELF), List.of(11L)));
        settle();
        assertThat(first.parts).isEmpty();

        held.hold(
                new ConfigurationDigest("new"),
                () -> routing(Map.of("none", Sections.of(PipelineConfig.class, "where", "none"))));
        settle();
        assertThat(first.parts).hasSize(1);
        assertThat(counters.get(QueueCounter.DISPATCH_POINTS)).isZero();
    }

    private MemoryCluster.Node join(long session, Endpoint address) {
        MemoryCluster.Node node = cluster.join();
        node.announce(new ProcessorMember("p" + session, session, address.toString(), "", "", false));
        return node;
    }

    @Test
    void putsTheRecordsOfHotSeriesTogetherTheSameWayEveryTime() {
        stored.append("hot", 10_000, 2);
        stored.append("cpu", 100, 1);
        stored.append("hot", 200, 20);
        begin(10_300, List.of(SELF), List.of(11L));

        settle();
        List<FakeProcessor.Partial> partials = List.copyOf(first.partials);
        assertThat(partials).extracting(FakeProcessor.Partial::records).containsExactlyInAnyOrder(4_910, 4_910);
        assertThat(first.parts.get(0).points()).hasSize(10_300 - 2 * 4_910);
        assertThat(first.parts.get(0).copies()).isEqualTo(10_300);
        double apart = first.parts.get(0).points().stream()
                .mapToDouble(point -> ((Number) point.fields().get("v")).doubleValue())
                .sum();
        double together =
                partials.stream().mapToDouble(FakeProcessor.Partial::sum).sum();
        assertThat(apart + together).isEqualTo(10_299 * 10_300 / 2.0);

        first.partials.clear();
        first.answer(PartFrame.NEED, first.parts.get(0));
        settle();
        assertThat(first.partials).isEqualTo(partials);
        assertThat(first.parts.get(1).points()).isEqualTo(first.parts.get(0).points());
    }

    @Test
    void sendsLateRecordsAndSeriesThatAreNotHotAsTheyAre() {
        stored.append("hot", 1_000, 10);
        begin(1_000, List.of(SELF), List.of(11L));
        settle();
        assertThat(first.partials).isEmpty();

        stored.append("hot", 300, 1);
        lateBy(10_000);
        settle();
        assertThat(first.partials).isEmpty();
        assertThat(first.parts.get(1).copies()).isEqualTo(300);
    }

    /**
     * Begins a cycle with the 300 records after the first thousand and the given cycle time, so that the records are
     * late by that time.
     */
    private void lateBy(long timeMs) {
        Positions cut = Positions.of(STREAM, 1_300);
        Cycle cycle = new Cycle(2, lead.epoch(), timeMs, cut, List.of(SELF), List.of(11L));
        assertThat(lead.begin(cycle, new Assignment(0, List.of(SELF), List.of(11L))))
                .isTrue();
    }

    private void begin(long upTo, List<Long> queues, List<Long> processors) {
        long number = lead.view().cycles().size() + 1L;
        Positions cut = Positions.of(STREAM, upTo);
        Cycle cycle = new Cycle(number, lead.epoch(), number * 1_000, cut, queues, processors);
        assertThat(lead.begin(cycle, new Assignment(0, queues, processors))).isTrue();
    }

    private void settle() {
        for (int i = 0; i < 2_000; i++) {
            clock.advanceMs(10);
            manager.doWork();
            network.step();
            network.step();
            network.step();
        }
    }

    private long primary() {
        return first.parts.stream().mapToLong(FakeProcessor.Part::primary).sum()
                + second.parts.stream().mapToLong(FakeProcessor.Part::primary).sum();
    }

    private static Set<String> hosts(FakeProcessor processor) {
        Set<String> hosts = new TreeSet<>();
        for (FakeProcessor.Part part : processor.parts) {
            for (DataPoint point : part.points()) {
                hosts.add(point.key().tags().get("host"));
            }
        }
        return hosts;
    }
}
