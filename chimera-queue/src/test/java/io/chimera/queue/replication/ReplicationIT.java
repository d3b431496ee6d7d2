package io.chimera.queue.replication;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.channel.netty.NodeTls;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Completion;
import io.chimera.common.ring.Slot;
import io.chimera.common.security.TestAuthority;
import io.chimera.common.security.Tls;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.append.BatchAppender;
import io.chimera.queue.journal.append.CopiedStreams;
import io.chimera.queue.journal.append.JournalTruncator;
import io.chimera.queue.journal.append.Journaler;
import io.chimera.queue.journal.append.OwnStream;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.peer.PeerNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.agrona.concurrent.CompositeAgent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two queue nodes with real journals, sockets and threads replicate each other's points while both accept points. */
final class ReplicationIT {
    private static final int BATCHES = 400;
    private static final int COUNT = 20;

    @TempDir
    private Path folder;

    private final ConcurrentLinkedQueue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final ChannelThreads channelThreads = new ChannelThreads("test");
    private final MemoryCluster cluster = MemoryCluster.immediate();

    @AfterEach
    void closeThreads() {
        channelThreads.close();
        assertThat(errors).isEmpty();
    }

    @Test
    void nodesCopyEachOtherAndAnswerAfterTwoCopies() {
        try (Node q1 = new Node("q1", 1);
                Node q2 = new Node("q2", 2)) {
            for (int i = 0; i < BATCHES; i++) {
                q1.accept();
                q2.accept();
            }
            Waits.await()
                    .until(() ->
                            q1.journaled.get() + q2.journaled.get() + q1.failed.get() + q2.failed.get() == 2 * BATCHES);

            assertThat(q1.failed.get() + q2.failed.get()).isZero();
            long all = (long) BATCHES * COUNT;
            for (Node of : new Node[] {q1, q2}) {
                assertThat(q1.journal.durable(of.stream)).isEqualTo(all);
                assertThat(q2.journal.durable(of.stream)).isEqualTo(all);
                assertThat(q1.checksum(of.stream)).isEqualTo(q2.checksum(of.stream));
            }
            assertThat(q1.counters.get(QueueCounter.JOURNAL_GAPS)).isZero();
            assertThat(q1.counters.get(QueueCounter.JOURNAL_POINTS_COPIED)).isEqualTo(all);
        }
    }

    @Test
    void overTlsANodeWithAnotherNodesCertificateCopiesNothing() {
        TestAuthority authority = new TestAuthority(folder.resolve("ca"), "ours");
        try (Node q1 = new Node("q1", 1, ReplicationPolicy.of(1), tls(authority, "q1"))) {
            try (Node impostor = new Node("q2", 2, ReplicationPolicy.of(1), tls(authority, "q9"))) {
                q1.accept();
                impostor.accept();
                Waits.await()
                        .until(() -> q1.count(QueueCounter.REPLICATION_CONNECTIONS_REFUSED) > 0
                                && q1.count(QueueCounter.REPLICATION_PEERS_REFUSED) > 0
                                && q1.journaled.get() == 1
                                && impostor.journaled.get() == 1);

                assertThat(impostor.count(QueueCounter.JOURNAL_POINTS_COPIED)).isZero();
                assertThat(q1.count(QueueCounter.JOURNAL_POINTS_COPIED)).isZero();
                impostor.membership.disconnect();
                impostor.membership.expire();
            }
            try (Node q2 = new Node("q2", 3, ReplicationPolicy.of(1), tls(authority, "q2"))) {
                Waits.await().until(() -> q2.journal.durable(q1.stream) == COUNT);
                assertThat(q2.checksum(q1.stream)).isEqualTo(q1.checksum(q1.stream));
            }
        }
    }

    private static Optional<NodeTls> tls(TestAuthority authority, String id) {
        TlsConfig config =
                authority.config(authority.issue(id, "URI:chimera://test/queue/" + id), ClientAuth.WANT, null);
        return Optional.of(new NodeTls(Tls.open("node.tls", config, false, new SystemClock()), "test"));
    }

    private final class Node implements AutoCloseable {
        private final long stream;
        private final ChronicleJournal journal;
        private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
        private final BatchRing ring = new BatchRing(16, BatchLayout.LENGTH_MAX);
        private final AtomicInteger journaled = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private final Batches batches = new Batches();
        private final NettyTransport transport;
        private final MemoryCluster.Node membership;
        private final AgentThreads threads;
        private long accepted;

        Node(String id, long session) {
            this(id, session, ReplicationPolicy.of(2), Optional.empty());
        }

        Node(String id, long session, ReplicationPolicy copies, Optional<NodeTls> tls) {
            stream = 0xA0 + session;
            SystemClock clock = new SystemClock();
            JournalSettings settings = new JournalSettings(
                    folder.resolve(id),
                    new SyncSchedule(SyncPolicy.BATCH, 100),
                    new DiskLimits(1L << 30, 0),
                    new RollLimits(1 << 20, 60_000));
            journal = ChronicleJournal.open(settings, "q1", clock);
            Counters<ChannelCounter> channelCounters = new Counters<>(ChannelCounter.class);
            transport = tls.map(node -> new NettyTransport(channelThreads, channelCounters, errors::add, node))
                    .orElseGet(() -> new NettyTransport(channelThreads, channelCounters, errors::add));
            membership = cluster.join();
            Followers followers = new Followers();
            PeerNetwork network =
                    new PeerNetwork(new LocalNode("test", id, session, stream), membership, transport, clock);
            Replicator replicator = new Replicator(network, journal, ring, followers, counters);
            Acknowledger acknowledger =
                    new Acknowledger(network, journal, followers, copies, new WaitLimits(30_000, 4096), counters);
            BatchAppender appender = new BatchAppender(journal, clock, counters);
            Journaler journaler = new Journaler(
                    ring,
                    appender,
                    new OwnStream(appender, stream, acknowledger),
                    new CopiedStreams(appender, replicator, counters),
                    new JournalTruncator(journal, membership, () -> 0, clock, counters));
            Endpoint address = replicator.listen(new Endpoint("127.0.0.1", 0));
            membership.announce(new QueueMember(
                    id, session, address.toString(), "", stream, "", journal.bases(), journal.durables(), false));
            threads = new AgentThreads(id, errors::add);
            threads.start(replicator);
            threads.start(new CompositeAgent(journaler, acknowledger));
        }

        long count(QueueCounter counter) {
            return counters.get(counter);
        }

        /** Accepts points, and waits for room in the ring. */
        void accept() {
            long[] sequence = {ring.tryClaim()};
            if (sequence[0] < 0) {
                Waits.await().pollInterval(Duration.ofMillis(1)).until(() -> (sequence[0] = ring.tryClaim()) >= 0);
            }
            Slot slot = ring.slot(sequence[0]);
            slot.buffer().putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN);
            int length = batches.records(slot.buffer(), stream, accepted + 1, COUNT, 1_000);
            accepted += COUNT;
            slot.fill(length, COUNT, new Completion() {
                @Override
                public void journaled() {
                    journaled.incrementAndGet();
                }

                @Override
                public void failed(String reason) {
                    failed.incrementAndGet();
                    errors.add(new AssertionError(reason));
                }
            });
            ring.publish(sequence[0]);
        }

        long checksum(long of) {
            CRC32C crc = new CRC32C();
            try (BatchFeed feed = journal.feed(new StreamRange(of, 0, journal.position(of)))) {
                while (feed.next() == BatchFeed.Step.BATCH) {
                    byte[] batch = new byte[BatchLayout.length(feed.buffer(), feed.offset())];
                    feed.buffer().getBytes(feed.offset(), batch);
                    crc.update(batch);
                }
            }
            return crc.getValue();
        }

        @Override
        public void close() {
            threads.close();
            transport.close();
            journal.close();
        }
    }
}
