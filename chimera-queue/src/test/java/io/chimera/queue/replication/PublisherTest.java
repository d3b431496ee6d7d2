package io.chimera.queue.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Connection;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.ReplicationFrame;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.peer.PeerNetwork;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class PublisherTest {
    private static final long OWN = 7;
    private static final int SUBSCRIPTIONS_MAX = 128;

    private final ManualClock clock = new ManualClock();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final MemoryJournal journal = new MemoryJournal(SyncPolicy.BATCH, 100, clock);
    private final PeerLink link =
            new PeerLink(new BatchReceiver(new BatchRing(4, BatchLayout.LENGTH_MAX), journal, OWN, counters));
    private final LateConnection connection = new LateConnection();

    @Test
    void countsOneRefusalOfAConnectionWithTooManySubscriptions() {
        MemoryCluster.Node peer = cluster.join();
        peer.announce(new QueueMember("q2", 2, "127.0.0.1:1", "", 8, "", journal.bases(), journal.durables(), false));
        Publisher publisher = new Publisher(
                link,
                new PeerNetwork(
                        new LocalNode("test", "q1", 1, OWN),
                        cluster.join(),
                        new MemoryNetwork().transport("q1"),
                        clock),
                journal,
                new Followers(),
                counters);
        link.onOpen(connection);
        Hello hello = Hello.of(2, "test");
        UnsafeBuffer frame = new UnsafeBuffer(new byte[hello.length()]);
        hello.encode(frame, 0);
        link.onFrame(connection, frame, 0, hello.length());
        for (int stream = 1; stream <= SUBSCRIPTIONS_MAX + 10; stream++) {
            subscribe(stream);
        }

        publisher.poll(peer.view(), clock.nanoTime(), session -> null);
        publisher.poll(peer.view(), clock.nanoTime(), session -> null);

        assertThat(connection.closes).isEqualTo(1);
        assertThat(counters.get(QueueCounter.REPLICATION_CONNECTIONS_REFUSED)).isEqualTo(1);
        publisher.close();
    }

    private void subscribe(long stream) {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[ReplicationFrame.LENGTH]);
        ReplicationFrame.encode(frame, 0, ReplicationFrame.SUBSCRIBE, stream, 0);
        assertThat(link.onFrame(connection, frame, 0, ReplicationFrame.LENGTH)).isTrue();
    }

    /** A connection that stays open after the call of close, like a connection of Netty until its thread runs. */
    private static final class LateConnection implements Connection {
        private int closes;

        @Override
        public boolean offer(DirectBuffer buffer, int offset, int length) {
            return true;
        }

        @Override
        public void consumed(int bytes) {}

        @Override
        public boolean hasCaughtUp() {
            return true;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            closes++;
        }

        @Override
        public String remote() {
            return "peer";
        }
    }
}
