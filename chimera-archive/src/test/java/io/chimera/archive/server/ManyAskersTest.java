package io.chimera.archive.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.chimera.archive.distributed.ClusterQuery;
import io.chimera.archive.distributed.NodeChoice;
import io.chimera.archive.distributed.NodeChoice.Target;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.NodeReport;
import io.chimera.archive.query.answer.NodeReport.Absent;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many clients query two nodes at once for answers larger than all buffers. Half of the clients begin at each node, and
 * all have begun before any client continues at its second node.
 */
final class ManyAskersTest {
    private static final ArchiveMember X = new ArchiveMember("x", 1, "x:1", new ArchiveMember.IndexFormat(60, 0), 0);
    private static final ArchiveMember Y = new ArchiveMember("y", 2, "y:1", new ArchiveMember.IndexFormat(60, 0), 0);

    /** About 3 MB of packets. */
    private static final int PACKETS = 8_000;

    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
    private final Map<String, QueryService> services = new HashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private RepeatedPackets.Interval interval;

    @TempDir
    private Path folder;

    @BeforeEach
    void serve() {
        SystemClock clock = new SystemClock();
        try (Volume volume = RecordedVolume.in(folder, clock, counters)) {
            interval = RepeatedPackets.Interval.of(volume);
            for (ArchiveMember node : List.of(X, Y)) {
                services.put(
                        node.id(),
                        new QueryService(
                                question -> new RepeatedPackets(interval, PACKETS),
                                QueryService.TIME_MAX_DEFAULT,
                                clock,
                                counters));
            }
        }
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        services.values().forEach(QueryService::close);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 24})
    void allGetWholeAnswersThoughTheyTakeTheNodesInAnotherOrder(int each)
            throws InterruptedException, ExecutionException {
        CyclicBarrier begun = new CyclicBarrier(2 * each);
        List<Future<NodeReport>> asked = new ArrayList<>();
        try (MemoryPeers peers = new MemoryPeers(services)) {
            for (int i = 0; i < each; i++) {
                asked.add(threads.submit(asking(List.of(X, Y), peers, begun)));
                asked.add(threads.submit(asking(List.of(Y, X), peers, begun)));
            }
            for (Future<NodeReport> answer : asked) {
                assertThat(answer.get().absent()).isEmpty();
            }
        }
    }

    @Test
    void answersThatNobodyReadsLeaveOthersTheirTurn() {
        List<FoundPackets> unread = new ArrayList<>();
        try (MemoryPeers peers = new MemoryPeers(services)) {
            for (int i = 0; i < 20; i++) {
                FoundPackets answer = peers.packets(X, Question.parse("", 0));
                unread.add(answer);
                assertThat(answer.next()).isTrue();
            }
            try (FoundPackets answer = peers.packets(X, Question.parse("", 0))) {
                long packets = 0;
                while (answer.next()) {
                    packets++;
                }
                assertThat(packets).isEqualTo(PACKETS);
            }
            unread.forEach(FoundPackets::close);
        }
    }

    @Test
    void aNodeThatHasNoRoomForSoLongIsNamed() {
        List<FoundPackets> unread = new ArrayList<>();
        try (MemoryPeers peers = new MemoryPeers(services)) {
            for (int i = 0; i < 24; i++) {
                FoundPackets answer = peers.packets(X, Question.parse("", 0));
                unread.add(answer);
                assertThat(answer.next()).isTrue();
            }
            peers.waitNoMore();
            try (FoundPackets answer = new ClusterQuery(choice(List.of(X)), Question.parse("", 0), peers)) {
                assertThat(answer.next()).isFalse();
                assertThat(answer.nodes().orElseThrow().absent())
                        .extracting(Absent::id, Absent::why)
                        .containsExactly(
                                tuple("x", "too many queries from other nodes; no query accepted for half a minute"));
            }
            assertThat(counters.get(ArchiveCounter.QUERY_TURNED_AWAY)).isEqualTo(peers.refused() + 1);
            unread.forEach(FoundPackets::close);
        }
    }

    @Test
    void aNodeThatStopsSaysSoInTheMiddleOfItsAnswer() throws InterruptedException {
        QueryService endless = new QueryService(
                question -> new RepeatedPackets(interval, Integer.MAX_VALUE),
                QueryService.TIME_MAX_DEFAULT,
                new ManualClock(), // a clock that never reaches the time limit
                counters);
        Thread closer = new Thread(endless::close, "closer");
        try (MemoryPeers peers = new MemoryPeers(Map.of(X.id(), endless));
                FoundPackets answer = new ClusterQuery(choice(List.of(X)), Question.parse("", 0), peers)) {
            assertThat(answer.next()).isTrue();
            closer.start();
            while (answer.next()) {
                // until the archive stops
            }
            assertThat(answer.nodes().orElseThrow().absent())
                    .extracting(Absent::why)
                    .containsExactly("The archive is stopping");
        }
        closer.join();
    }

    private static NodeChoice choice(List<ArchiveMember> nodes) {
        List<Target> targets = nodes.stream()
                .map(node -> new Target(node, Long.MIN_VALUE, Long.MAX_VALUE))
                .toList();
        return new NodeChoice(targets, nodes.size(), 0, 0, List.of(), List.of());
    }

    private static Callable<NodeReport> asking(List<ArchiveMember> nodes, MemoryPeers peers, CyclicBarrier begun) {
        return () -> {
            try (FoundPackets answer =
                    new ClusterQuery(choice(nodes), Question.parse("", 0), peers.pausing(() -> await(begun)))) {
                long packets = 0;
                while (answer.next()) {
                    packets++;
                }
                NodeReport report = answer.nodes().orElseThrow();
                assertThat(report.absent().isEmpty() ? packets : 2 * PACKETS).isEqualTo(2 * PACKETS);
                return report;
            }
        };
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }
}
