package io.chimera.queue.dispatch;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.DataPoint;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.composition.InstalledTypes;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PastFrame;
import io.chimera.common.wire.SeriesHash;
import io.chimera.common.wire.Slice;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.peer.PeerNetwork;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pipelines with keys, through the whole channel manager. */
final class KeysTest {
    private static final long SELF = 1;
    private static final int POINTS = 2_000;
    private static final int PARTITIONS = 8;

    private static final String PIPELINES = """
        stores: { s: {} }
        pipelines:
          calls:
            where: cpu
            stores: s
            after:
              partitions: 8
              keys: [host, v, nothing]
              blocks: { some: { type: copy } }
        """;

    private final ManualClock clock = new ManualClock();
    private final MemoryNetwork network = new MemoryNetwork();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Lead lead = cluster.lead();
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
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
        manager = new ChannelManager(
                new PeerNetwork(
                        new LocalNode("test", "q1", SELF, SELF), cluster.join(), network.transport("q1"), clock),
                stored,
                new ConfigurationRegistry<>(
                        new ConfigurationDigest("d"),
                        new Routing(
                                config.pipelines(),
                                Set.of("influx"),
                                new InstalledTypes(List.of()),
                                counters,
                                (point, reason) -> {})),
                counters);
    }

    @AfterEach
    void findsNoDefect() {
        assertThat(first.defects).isEmpty();
        assertThat(second.defects).isEmpty();
        manager.onClose();
    }

    @Test
    void aRecordGoesOnceToEachShardOfItsKeysAndCountsOnce() {
        start(PIPELINES);
        stored.append("cpu", POINTS, 100);
        stored.append("mem", 5);
        begin(POINTS + 5);
        settle();

        List<FakeProcessor.Part> parts = parts();
        assertThat(parts.stream().mapToLong(FakeProcessor.Part::copies).sum()).isEqualTo(copies());
        assertThat(parts.stream().mapToLong(FakeProcessor.Part::primary).sum()).isEqualTo(POINTS);
        assertThat(parts.stream().mapToLong(FakeProcessor.Part::filtered).sum()).isEqualTo(5);
        for (FakeProcessor.Part part : parts) {
            assertThat(part.points())
                    .allMatch(point -> byHost(point) % 2 == part.shard() || byValue(value(point)) % 2 == part.shard());
        }
        assertThat(parts.stream()
                        .flatMap(part -> part.points().stream())
                        .map(KeysTest::value)
                        .distinct())
                .hasSize(POINTS);
    }

    /** A record that waits for credit in one pipeline keeps its shards there only: the next pipeline has other keys. */
    @Test
    void aStalledRecordGoesToTheShardsOfEachPipeline() {
        int points = 200_000;
        start(PIPELINES
                + "    rows: { prefix: a. }\n"
                + "  more: { where: cpu, stores: s, rows: { prefix: b. }, after: { partitions: 8,"
                + " keys: [host, v, nothing], blocks: { some: { type: copy } } } }\n");
        stored.append("cpu", points, 100);
        begin(points);
        for (int i = 0; i < 40; i++) {
            first.takesFrames = i % 2 == 1;
            second.takesFrames = i % 2 == 1;
            settle(50);
        }

        assertThat(counters.get(QueueCounter.DISPATCH_STALLS)).isPositive();
        assertThat(parts().stream().mapToLong(FakeProcessor.Part::copies).sum()).isEqualTo(2 * copies(points));
        assertThat(parts().stream().mapToLong(FakeProcessor.Part::primary).sum())
                .isEqualTo(points);
    }

    @Test
    void sendingAgainGivesTheSame() {
        start(PIPELINES);
        stored.append("cpu", POINTS, 100);
        begin(POINTS);
        settle();
        FakeProcessor.Part once = first.parts.get(0);
        first.answer(PartFrame.NEED, once);
        settle();

        assertThat(first.parts).hasSize(2);
        assertThat(first.parts.get(1).points()).isEqualTo(once.points());
        assertThat(first.parts.get(1).primary()).isEqualTo(once.primary());
    }

    @Test
    void aSliceHasTheRecordsOfItsPartitionsAndARecordOfSeveralSlicesCountsOnce() {
        start(PIPELINES);
        stored.append("cpu", POINTS, 100);
        begin(POINTS);
        settle();
        FakeProcessor.Part whole = first.parts.get(0);
        for (int i = 0; i < 4; i++) {
            first.need(whole, new Slice(i, 4));
            settle();
        }

        List<FakeProcessor.Part> slices = first.parts.subList(1, 5);
        assertThat(slices.stream().mapToLong(FakeProcessor.Part::primary).sum()).isEqualTo(whole.primary());
        assertThat(slices.stream().mapToLong(FakeProcessor.Part::copies).sum()).isGreaterThan(whole.copies());
        for (int i = 0; i < 4; i++) {
            int partition = whole.shard() + 2 * i; // 8 partitions in 2 shards: each of 4 slices has one partition
            assertThat(slices.get(i).points())
                    .isNotEmpty()
                    .allMatch(point -> byHost(point) == partition || byValue(value(point)) == partition);
        }
    }

    @Test
    void aRecordWithoutAnyOfTheKeysIsFiltered() {
        start(PIPELINES.replace("host, v, nothing", "nothing"));
        stored.append("cpu", 30);
        begin(30);
        settle();

        assertThat(parts().stream().mapToLong(FakeProcessor.Part::copies).sum()).isZero();
        assertThat(parts().stream().mapToLong(FakeProcessor.Part::filtered).sum())
                .isEqualTo(30);
    }

    @Test
    void pointsThatBlocksMadeAheadOfTheShardHaveKeysToo() {
        start(PIPELINES.replace(
                "    after:\n", "    before: { blocks: { all: { type: rename, metric: { cpu: c } } } }\n    after:\n"));
        stored.append("cpu", POINTS, 100);
        begin(POINTS);
        settle();

        assertThat(parts().stream().mapToLong(FakeProcessor.Part::copies).sum()).isEqualTo(copies());
        assertThat(parts().stream().mapToLong(FakeProcessor.Part::primary).sum())
                .isEqualTo(POINTS);
        assertThat(parts().get(0).points())
                .allMatch(point -> point.key().metric().equals("c"));
    }

    @Test
    void ofAPastCycleTheRecordsOfTheWantedPartitionsAreSent() {
        start(PIPELINES + "    rows: { prefix: a. }\n  another: { stores: s, rows: { prefix: b. } }\n");
        stored.append("cpu", POINTS, 100);
        Positions cut = Positions.of(StoredCycles.STREAM, POINTS);
        stored.past.put(4L, new PastCycle(4, CycleTime.of(900), 1, Positions.NONE, cut));
        settle();
        BitSet wanted = new BitSet();
        wanted.set(3);
        first.ask(new PastFrame.Request(
                11, 1, new ConfigurationDigest("d").fingerprint(), 1, new PastFrame.Cycles(4, 4, 10_000), wanted));
        settle();

        assertThat(first.pastParts).hasSize(1);
        assertThat(first.pastParts.get(0).pipeline())
                .as("pipeline that the end names")
                .isEqualTo(1);
        assertThat(first.pastParts.get(0).points())
                .allMatch(point -> byHost(point) == 3 || byValue(value(point)) == 3)
                .hasSize((int) values(3));
    }

    private static long values(int partition) {
        long count = 0;
        for (int v = 0; v < POINTS; v++) {
            count += byHost("host" + v % 100) == partition || byValue(v) == partition ? 1 : 0;
        }
        return count;
    }

    private static long copies() {
        return copies(POINTS);
    }

    private static long copies(int points) {
        long copies = 0;
        for (int v = 0; v < points; v++) {
            copies += byHost("host" + v % 100) % 2 == byValue(v) % 2 ? 1 : 2;
        }
        return copies;
    }

    private static int byHost(DataPoint point) {
        return byHost(point.key().tags().get("host"));
    }

    private static int byHost(String host) {
        byte[] bytes = host.getBytes(US_ASCII);
        return SeriesHash.shard(SeriesHash.of(new UnsafeBuffer(bytes), 0, bytes.length), PARTITIONS);
    }

    private static int byValue(long value) {
        UnsafeBuffer bytes = new UnsafeBuffer(new byte[Long.BYTES]);
        bytes.putLong(0, value, ByteOrder.LITTLE_ENDIAN);
        return SeriesHash.shard(SeriesHash.of(bytes, 0, Long.BYTES), PARTITIONS);
    }

    /** Value of the point's field, equal to the point's time. */
    private static long value(DataPoint point) {
        return point.timeNs();
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
        settle(2_000);
    }

    private void settle(int steps) {
        for (int i = 0; i < steps; i++) {
            clock.advanceMs(10);
            manager.doWork();
            network.step();
            network.step();
            network.step();
        }
    }
}
