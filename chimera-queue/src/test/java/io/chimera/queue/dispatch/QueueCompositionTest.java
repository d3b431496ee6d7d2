package io.chimera.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.DataPoint;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.composition.Blocks;
import io.chimera.common.composition.InstalledTypes;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.PartFrame;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.peer.PeerNetwork;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compositions before sharding, through the whole channel manager. */
final class QueueCompositionTest {
    private static final long SELF = 1;
    private static final int POINTS = 2_000;

    /**
     * The blocks emit each point twice: with its host and with one of ten other hosts as party. They drop every tenth
     * point, and throw for a single point.
     */
    private static final String PIPELINES = """
        stores: { s: {} }
        pipelines:
          calls:
            where: cpu
            stores: s
            aggregate: { by: [party] }
            before:
              blocks:
                most: { type: drop, tags: { host: "*7" } }
                check: { type: unlucky, from: most }
                clone: { type: clones, from: check }
        """;

    private final ManualClock clock = new ManualClock();
    private final MemoryNetwork network = new MemoryNetwork();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Lead lead = cluster.lead();
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final List<String> letters = new ArrayList<>();
    private final StoredCycles stored = new StoredCycles();
    private final FakeProcessor first = processor(11, "p1");
    private final FakeProcessor second = processor(12, "p2");
    private ChannelManager manager;

    private FakeProcessor processor(long session, String host) {
        Endpoint address = new Endpoint(host, 1);
        cluster.join().announce(new ProcessorMember(host, session, address.toString(), "", "", false));
        return new FakeProcessor(session, network.transport(host), address);
    }

    private void start(String pipelines) {
        ChimeraConfig config = new ConfigLoader(Map.of()).parse("test.yaml", pipelines, List.of());
        InstalledTypes types = new InstalledTypes(List.of(
                Blocks.unlucky(),
                Blocks.plain("clones", (point, out) -> {
                    out.point(0)
                            .series()
                            .tag("party", point.tag("host"))
                            .field("v", point.whole(0))
                            .end();
                    out.point(0)
                            .series()
                            .tag("party", "p" + point.whole(0) % 10)
                            .field("v", point.whole(0))
                            .end();
                }),
                Blocks.plain("many", (point, out) -> {
                    for (int i = 0; i < 4_000; i++) {
                        out.point(0)
                                .metric("m")
                                .tag("i", "i" + i)
                                .field("v", point.whole(0))
                                .end();
                    }
                })));
        manager = new ChannelManager(
                new PeerNetwork(
                        new LocalNode("test", "q1", SELF, SELF), cluster.join(), network.transport("q1"), clock),
                stored,
                new ConfigurationRegistry<>(
                        new ConfigurationDigest("d"),
                        new Routing(
                                config.pipelines(),
                                Set.of("influx"),
                                types,
                                counters,
                                (point, reason) -> letters.add(point + " <- " + reason))),
                counters);
    }

    @AfterEach
    void findsNoDefect() {
        assertThat(first.defects).isEmpty();
        assertThat(second.defects).isEmpty();
        manager.onClose();
    }

    @Test
    void clonesReachTheShardsOfTheirOwnKeysAndEveryRecordIsAccountedForOnce() {
        start(PIPELINES);
        stored.append("cpu", POINTS);
        stored.append("mem", 5);
        begin(POINTS + 5);
        settle();

        List<FakeProcessor.Part> parts = parts();
        int emitting = POINTS - POINTS / 10 - 1; // all except points of hosts that end with 7, and except the 13th
        assertThat(parts).extracting(FakeProcessor.Part::shard).containsExactlyInAnyOrder(0, 1);
        assertThat(parts.stream().mapToLong(FakeProcessor.Part::copies).sum()).isEqualTo(2L * emitting);
        assertThat(parts.stream().mapToLong(FakeProcessor.Part::primary).sum()).isEqualTo(emitting);
        assertThat(parts.stream().mapToLong(FakeProcessor.Part::filtered).sum())
                .as("records of which the blocks made nothing, and those that the pipeline does not take")
                .isEqualTo(POINTS - emitting + 5);
        Map<String, Integer> shards = new HashMap<>();
        parts.forEach(part -> part.points().forEach(point -> {
            Integer other = shards.put(party(point), part.shard());
            assertThat(other).isIn(null, part.shard());
        }));
        assertThat(shards.keySet()).hasSize(emitting + 9); // no v ends with 7
        assertThat(shards.values()).contains(0, 1);
        assertThat(counters.get(QueueCounter.BEFORE_POINTS)).isEqualTo(POINTS);
        assertThat(counters.get(QueueCounter.BEFORE_POINTS_EMITTED)).isEqualTo(2L * emitting);
    }

    @Test
    void aRecordAtWhichABlockThrowsGoesToTheDeadLettersAndHoldsUpNothing() {
        start(PIPELINES);
        stored.append("cpu", 20);
        begin(20);
        settle();

        assertThat(letters)
                .containsExactly("cpu,host=host13 v=13i 13 <- Block check of pipeline calls threw"
                        + " java.lang.IllegalStateException: 13.");
        assertThat(counters.get(QueueCounter.BEFORE_POINTS_FAILED)).isEqualTo(1);
        assertThat(parts()).hasSize(2);
    }

    @Test
    void sendingAgainGivesTheSame() {
        start(PIPELINES);
        stored.append("cpu", POINTS);
        begin(POINTS);
        settle();
        FakeProcessor.Part once = first.parts.get(0);
        first.answer(PartFrame.NEED, once);
        settle();

        assertThat(first.parts).hasSize(2);
        assertThat(first.parts.get(1)).isEqualTo(once);
    }

    @Test
    void aRecordMayBecomeMoreThanAConnectionTakesAtATime() {
        start("""
            stores: { s: {} }
            pipelines:
              p: { stores: s, before: { blocks: { m: { type: many } } }, rows: { prefix: p. } }
              q: { stores: s, rows: { prefix: q. } }
            """);
        stored.append("cpu", 40);
        begin(40);
        settle();

        assertThat(parts().stream().mapToLong(FakeProcessor.Part::copies).sum()).isEqualTo(40 * 4_000 + 40);
        assertThat(parts().stream().mapToLong(FakeProcessor.Part::primary).sum())
                .isEqualTo(40);
    }

    private static String party(DataPoint point) {
        return point.key().tags().get("party");
    }

    private List<FakeProcessor.Part> parts() {
        List<FakeProcessor.Part> parts = new ArrayList<>(first.parts);
        parts.addAll(second.parts);
        return parts;
    }

    private void begin(long upTo) {
        settle(); // waits for both connections; then a single pass serves both
        Positions cut = Positions.of(StoredCycles.STREAM, upTo);
        List<Long> processors = List.of(11L, 12L);
        Cycle cycle = new Cycle(1, lead.epoch(), 1_000, cut, List.of(SELF), processors);
        assertThat(lead.begin(cycle, new Assignment(0, List.of(SELF), processors)))
                .isTrue();
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
}
