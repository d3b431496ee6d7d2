package io.chimera.queue.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.ReplicationFrame;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.replication.ReplicationGroup.Node;
import io.chimera.testkit.cluster.MemoryCluster;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class ReplicatorTest {
    private final ReplicationGroup group = new ReplicationGroup();

    private static List<ByteBuffer> read(Journal journal, long stream, long after, long upTo) {
        List<ByteBuffer> batches = new ArrayList<>();
        try (BatchFeed feed = journal.feed(new StreamRange(stream, after, upTo))) {
            while (feed.next() == BatchFeed.Step.BATCH) {
                byte[] batch = new byte[BatchLayout.length(feed.buffer(), feed.offset())];
                feed.buffer().getBytes(feed.offset(), batch);
                batches.add(ByteBuffer.wrap(batch));
            }
        }
        return batches;
    }

    @Test
    void nodesCopyEachOther() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        q1.accept(3);
        q2.accept(4);
        group.runUntil(() -> q2.has(q1) == 3 && q1.has(q2) == 4);
        q1.accept(2);
        group.runUntil(() -> q2.has(q1) == 5);

        assertThat(read(q2.journal, q1.stream, 0, 5)).isNotEmpty().isEqualTo(read(q1.journal, q1.stream, 0, 5));
        assertThat(read(q1.journal, q2.stream, 0, 4)).isNotEmpty().isEqualTo(read(q2.journal, q2.stream, 0, 4));
        assertThat(q2.count(QueueCounter.JOURNAL_POINTS_COPIED)).isEqualTo(5);
        assertThat(q2.count(QueueCounter.JOURNAL_DUPLICATES)).isZero();
        assertThat(q2.count(QueueCounter.REPLICATION_BATCHES_RECEIVED)).isEqualTo(2);
    }

    @Test
    void senderHearsOfSuccessAfterTheSecondCopy() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        q2.journals(false);
        q1.accept(3);
        group.run(200);
        assertThat(q1.journal.durable(q1.stream)).isEqualTo(3);
        assertThat(q1.told).isEmpty();

        q2.journals(true);
        q2.journal.failToSync(true);
        group.runUntil(() -> q2.has(q1) == 3);
        group.run(200);
        assertThat(q1.told).as("there, but not durable").isEmpty();

        q2.journal.failToSync(false);
        group.runUntil(() -> !q1.told.isEmpty());
        assertThat(q1.told).containsExactly("3 ok");
    }

    /** The removal of such a node is permitted, so its journal is no copy. */
    @Test
    void aPeerWithoutASessionCountsNotAsACopyOnceItIsRemoved() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        Node q3 = group.start("q3", group.journal());
        q1.accept(1);
        group.runUntil(() -> q2.has(q1) == 1 && q3.has(q1) == 1);
        q3.loseCoordinator();
        assertThat(group.cluster()
                        .unregister(
                                List.of("q3"),
                                group.cluster().truth().journals().losses()))
                .isTrue();
        q2.journals(false);
        group.run(200);
        q1.accept(2);
        group.run(1_000);
        assertThat(q1.journal.durable(q1.stream)).isEqualTo(3);
        assertThat(q1.told).containsExactly("1 ok");

        q2.journals(true);
        group.runUntil(() -> q1.told.size() == 2);
        assertThat(q1.told).containsExactly("1 ok", "3 ok");
    }

    @Test
    void aPeerConnectsAgainAfterItsSessionHasExpired() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        q1.accept(1);
        group.runUntil(() -> q1.told.size() == 1);
        q2.loseCoordinator();
        group.run(200);
        q1.accept(2);
        group.run(1_000);
        assertThat(q2.has(q1)).as("a node without a session gets nothing").isEqualTo(1);

        q2.findCoordinator();

        group.runUntil(() -> q1.told.size() == 2);
        assertThat(q1.told).containsExactly("1 ok", "3 ok");
    }

    @Test
    void oneRegisteredNodeIsEnoughForItself() {
        Node q1 = group.start("q1", group.journal());
        q1.accept(3);
        group.run(2);
        assertThat(q1.told).containsExactly("3 ok");
    }

    @Test
    void senderHearsWhoDoesNotAnswer() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        group.run(100);
        q2.journals(false);
        q1.accept(1);
        group.run(29_900);
        assertThat(q1.told).isEmpty();
        group.run(200);
        assertThat(q1.told).containsExactly("1 only 1 of 2 journals hold the points: queue node q2 does not answer");
    }

    @Test
    void restartedNodeCatchesUpFromItsJournal() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        q1.accept(3);
        group.runUntil(() -> q1.told.size() == 1);
        MemoryJournal left = q2.kill();
        for (int i = 0; i < 5; i++) {
            q1.accept(1);
            group.run(2);
        }
        assertThat(q1.told).hasSize(1);

        Node again = group.start("q2", left);
        group.runUntil(() -> again.has(q1) == 8);

        assertThat(again.count(QueueCounter.REPLICATION_BATCHES_RECEIVED)).isEqualTo(5);
        assertThat(read(left, q1.stream, 0, 8)).hasSize(6).isEqualTo(read(q1.journal, q1.stream, 0, 8));
        group.runUntil(() -> q1.told.size() == 6);
    }

    @Test
    void nodeThatLostItsDiskCopiesEverythingAgain() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        q1.accept(3);
        q2.accept(2);
        group.runUntil(() -> q2.has(q1) == 3 && q1.has(q2) == 2);
        q2.kill();
        Node again = group.start("q2", group.journal());
        q1.accept(1);
        group.runUntil(() -> again.has(q1) == 4 && again.has(q2) == 2);

        group.runUntil(() -> q1.told.size() == 2);
        assertThat(q1.told).containsExactly("3 ok", "4 ok");
    }

    @Test
    void gapOfADeadNodesStreamComesFromAThird() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        Node q3 = group.start("q3", group.journal());
        group.run(100);
        group.network().block("q1", "q3");
        q1.accept(3);
        group.runUntil(() -> q2.has(q1) == 3);
        assertThat(q3.has(q1)).isZero();

        q1.kill();
        group.runUntil(() -> q3.has(q1) == 3);

        assertThat(read(q3.journal, q1.stream, 0, 3)).isEqualTo(read(q2.journal, q1.stream, 0, 3));
        group.run(500);
        assertThat(q3.count(QueueCounter.REPLICATION_BATCHES_RECEIVED))
                .as("not asked for again")
                .isEqualTo(1);
    }

    @Test
    void brokenConnectionIsMadeAgain() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        for (int i = 1; i <= 10; i++) {
            q1.accept(1);
            int sent = i;
            group.runUntil(() -> q2.has(q1) == sent);
            q1.loseConnectionWith(q2);
        }
        group.runUntil(() -> q1.told.size() == 10);
        assertThat(q2.count(QueueCounter.REPLICATION_CONNECTIONS_LOST)).isGreaterThanOrEqualTo(9);
    }

    @Test
    void fullRingPausesThePeerAndLosesNothing() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        group.run(200);
        q2.journals(false);
        for (int i = 0; i < 40; i++) {
            q1.accept(5);
            group.run(1);
        }
        assertThat(q2.ring.used()).isEqualTo(q2.ring.capacity());

        q2.journals(true);
        group.runUntil(() -> q2.has(q1) == 200);
        assertThat(read(q2.journal, q1.stream, 0, 200)).isEqualTo(read(q1.journal, q1.stream, 0, 200));
        assertThat(q2.count(QueueCounter.JOURNAL_GAPS)).isZero();
    }

    @Test
    void duplicatesDoNoHarm() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        q1.accept(5);
        group.runUntil(() -> q2.has(q1) == 5);
        q2.journals(false);
        q1.accept(5);
        group.run(50);
        q2.onGap(q1);
        group.run(250);
        assertThat(q2.ring.used()).as("the same batch twice").isEqualTo(2);

        q2.journals(true);
        group.runUntil(() -> q2.has(q1) == 10);
        group.run(10);
        assertThat(q2.count(QueueCounter.JOURNAL_DUPLICATES)).isEqualTo(1);
        assertThat(read(q2.journal, q1.stream, 0, 10)).hasSize(2);
    }

    @Test
    void missingBatchIsSentAgain() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        q1.accept(1);
        group.runUntil(() -> q2.has(q1) == 1);
        q2.journals(false);
        q1.accept(1);
        group.run(20);
        q2.dropFirstSlot();
        q1.accept(1);
        group.run(20);
        q2.journals(true);

        group.runUntil(() -> q2.has(q1) == 3);

        assertThat(q2.count(QueueCounter.JOURNAL_GAPS)).isPositive();
        assertThat(q2.count(QueueCounter.REPLICATION_RESUBSCRIBED)).isPositive();
    }

    @Test
    void streamThatStandsStillIsAskedForAnew() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        q1.accept(1);
        group.runUntil(() -> q2.has(q1) == 1);
        q2.journals(false);
        q1.accept(1);
        group.run(20);
        q2.dropFirstSlot();
        q2.journals(true);

        group.run(4_000);
        assertThat(q2.has(q1)).as("nothing follows that would show the gap").isEqualTo(1);
        group.runUntil(() -> q2.has(q1) == 2);
    }

    @Test
    void lateJoinerStartsAtTheLowWaterMark() {
        Node q1 = group.start("q1", group.journal());
        q1.accept(4);
        group.run(2);
        q1.accept(4);
        group.run(2);
        MemoryCluster.Lead lead = group.cluster().lead();
        assertThat(lead.advance(new LowMark(1, 1, Positions.of(q1.stream, 6), LowMark.Totals.ZERO)))
                .isTrue();
        group.run(2);

        Node q2 = group.start("q2", group.journal());
        group.runUntil(() -> q2.has(q1) == 8);

        assertThat(q2.journal.bases().at(q1.stream)).isEqualTo(6);
        assertThat(read(q2.journal, q1.stream, 6, 8)).hasSize(1);
    }

    @Test
    void streamsOfManyDeadNodesComeOneAfterTheOther() {
        MemoryJournal old = group.journal();
        Batches batches = new Batches();
        int streams = 200;
        for (int i = 1; i <= streams; i++) {
            batches.append(old, i, 1, 2);
        }
        old.sync();
        group.start("q1", old);
        Node q2 = group.start("q2", group.journal());

        group.runUntil(() -> q2.journal.durables().size() >= streams);

        group.run(200);
        assertThat(q2.count(QueueCounter.REPLICATION_BATCHES_RECEIVED)).isEqualTo(streams);
        assertThat(q2.count(QueueCounter.REPLICATION_CONNECTIONS_LOST)).isZero();
    }

    @Test
    void nodesOfAnotherClusterGetNothing() {
        Node q1 = group.start("q1", group.journal());
        Node stranger = group.start("q2", group.journal(), "another");
        q1.accept(3);
        stranger.accept(3);
        group.run(1_000);

        assertThat(stranger.has(q1)).isZero();
        assertThat(q1.has(stranger)).isZero();
        assertThat(q1.told).isEmpty();
    }

    // Admission of peers

    /** A raw connection to a queue node that sends arbitrary frames. */
    private static final class Intruder implements ConnectionHandler {
        private final List<UnsafeBuffer> frames = new ArrayList<>();
        private String closed;

        Intruder hello(long session) {
            Hello hello = Hello.of(session, ReplicationGroup.CLUSTER);
            UnsafeBuffer frame = new UnsafeBuffer(new byte[hello.length()]);
            hello.encode(frame, 0);
            frames.add(frame);
            return this;
        }

        Intruder position(long stream, long seq) {
            UnsafeBuffer frame = new UnsafeBuffer(new byte[ReplicationFrame.LENGTH]);
            ReplicationFrame.encode(frame, 0, ReplicationFrame.POSITION, stream, seq);
            frames.add(frame);
            return this;
        }

        Intruder batch(long stream) {
            Batches batches = new Batches();
            UnsafeBuffer frame = new UnsafeBuffer(new byte[batches.seal(stream, 1, 1)]);
            batches.buffer().getBytes(0, frame, 0, frame.capacity());
            frames.add(frame);
            return this;
        }

        @Override
        public void onOpen(Connection connection) {
            frames.forEach(frame -> connection.offer(frame, 0, frame.capacity()));
        }

        @Override
        public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
            from.consumed(length);
            return true;
        }

        @Override
        public void onClose(String reason) {
            closed = reason;
        }
    }

    private void intrude(Intruder intruder, Node at) {
        group.network().transport("intruder").connect(at.address(), intruder);
    }

    /** Points of q1 that only q1 holds: q2 is registered, but its disk hangs. */
    private Node waitingForItsPeer() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        group.runUntil(() -> q1.count(QueueCounter.REPLICATION_CONNECTIONS_LOST) == 0 && q2.has(q1) == 0);
        group.run(200);
        q2.journals(false);
        q1.accept(3);
        group.run(100);
        return q1;
    }

    @Test
    void aPositionOfAnUnknownSessionAcknowledgesNothing() {
        Node q1 = waitingForItsPeer();
        Intruder intruder = new Intruder().hello(666).position(q1.stream, 3);
        intrude(intruder, q1);
        group.run(11_000);
        assertThat(q1.told).isEmpty();
        assertThat(intruder.closed).isNotNull();
        assertThat(q1.count(QueueCounter.REPLICATION_CONNECTIONS_REFUSED)).isEqualTo(1);
    }

    @Test
    void aPositionInTheNameOfTheNodeItselfAcknowledgesNothing() {
        Node q1 = waitingForItsPeer();
        Intruder intruder = new Intruder().hello(q1.session).position(q1.stream, 3);
        intrude(intruder, q1);
        group.run(100);
        assertThat(q1.told).isEmpty();
        assertThat(intruder.closed).isNotNull();
    }

    @Test
    void aSecondConnectionInTheNameOfAPeerAcknowledgesNothing() {
        Node q1 = waitingForItsPeer();
        Intruder intruder = new Intruder().hello(q1.session + 1).position(q1.stream, 3);
        intrude(intruder, q1);
        group.run(11_000);
        assertThat(q1.told).isEmpty();
        assertThat(intruder.closed).isNotNull();
    }

    @Test
    void aBatchThatNobodyAskedForClosesTheConnection() {
        Node q1 = group.start("q1", group.journal());
        group.run(10);
        Intruder intruder = new Intruder().hello(q1.session).batch(0xBAD);
        intrude(intruder, q1);
        group.run(100);
        assertThat(intruder.closed).isNotNull();
        assertThat(q1.journal.position(0xBAD)).isZero();
    }

    /** The peer answers the subscription with a batch of another stream. */
    @Test
    void aBatchOfAnotherStreamThanAskedForIsDropped() {
        BatchRing ring = new BatchRing(2, BatchLayout.LENGTH_MAX);
        Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
        PeerLink link = new PeerLink(new BatchReceiver(ring, group.journal(), 1, counters));
        Batches batches = new Batches();
        UnsafeBuffer batch = new UnsafeBuffer(new byte[batches.seal(0xBAD, 1, 1)]);
        batches.buffer().getBytes(0, batch, 0, batch.capacity());
        RecordingConnection peer = new RecordingConnection();
        link.onOpen(peer);
        link.takeBatches(new long[] {7, 8});
        link.onFrame(peer, batch, 0, batch.capacity());
        assertThat(counters.get(QueueCounter.REPLICATION_BATCHES_UNASKED)).isEqualTo(1);
        assertThat(peer.isOpen())
                .as("it may have been on its way when the subscription ended")
                .isTrue();
        link.takeBatches(new long[] {7, 0xBAD});
        link.onFrame(peer, batch, 0, batch.capacity());
        assertThat(counters.get(QueueCounter.REPLICATION_BATCHES_UNASKED)).isEqualTo(1);
        int[] records = new int[1];
        ring.poll(slot -> (records[0] += slot.count()) >= 0, 2);
        assertThat(records[0]).isEqualTo(1);
    }

    private static final class RecordingConnection implements Connection {
        private boolean isOpen = true;

        @Override
        public boolean offer(DirectBuffer buffer, int offset, int length) {
            return isOpen;
        }

        @Override
        public void consumed(int bytes) {}

        @Override
        public boolean hasCaughtUp() {
            return true;
        }

        @Override
        public boolean isOpen() {
            return isOpen;
        }

        @Override
        public void close() {
            isOpen = false;
        }

        @Override
        public String remote() {
            return "peer";
        }
    }

    @Test
    void manyNodesConvergeWhileTheyComeAndGo() {
        List<Node> live = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            live.add(group.start("q" + i, group.journal()));
        }
        Map<Long, Long> accepted = new TreeMap<>();
        for (int round = 0; round < 12; round++) {
            for (Node node : live) {
                node.accept(3);
                accepted.merge(node.stream, 3L, Long::sum);
                group.run(3);
            }
            Node victim = live.remove(round % live.size());
            group.runUntil(() -> victim.told.size() * 3L == victim.journal.position(victim.stream));
            live.add(group.start(victim.id, victim.kill()));
        }
        for (Node node : live) {
            group.runUntil(() -> accepted.entrySet().stream()
                    .allMatch(stream -> node.journal.position(stream.getKey()) == stream.getValue()));
        }
        Journal first = live.get(0).journal;
        for (Node node : live) {
            for (Map.Entry<Long, Long> stream : accepted.entrySet()) {
                assertThat(read(node.journal, stream.getKey(), 0, stream.getValue()))
                        .isEqualTo(read(first, stream.getKey(), 0, stream.getValue()));
            }
        }
    }
}
