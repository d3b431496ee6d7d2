package io.chimera.queue.replication;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Completion;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.append.BatchAppender;
import io.chimera.queue.journal.append.CopiedStreams;
import io.chimera.queue.journal.append.JournalTruncator;
import io.chimera.queue.journal.append.Journaler;
import io.chimera.queue.journal.append.OwnStream;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.peer.PeerNetwork;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.channel.MemoryTransport;
import io.chimera.testkit.cluster.MemoryCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A group of replicating queue nodes on the test's thread, with journals, network and coordinator in memory. */
final class ReplicationGroup {
    static final String CLUSTER = "test";
    static final int COPIES = 2;
    private static final int SLOTS = 8;
    private static final Duration STEP = Duration.ofMillis(1);

    private final ManualClock clock = new ManualClock();
    private final MemoryNetwork network = new MemoryNetwork();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final List<Node> nodes = new ArrayList<>();
    private long sessions = 100;

    ManualClock clock() {
        return clock;
    }

    MemoryNetwork network() {
        return network;
    }

    MemoryCluster cluster() {
        return cluster;
    }

    MemoryJournal journal() {
        return new MemoryJournal(SyncPolicy.BATCH, 1, clock);
    }

    /** Starts a node with a new journal, or with the journal of an earlier node. */
    Node start(String id, MemoryJournal journal) {
        return start(id, journal, CLUSTER);
    }

    Node start(String id, MemoryJournal journal, String clusterName) {
        Node node = new Node(id, journal, clusterName);
        nodes.add(node);
        return node;
    }

    /** Runs all nodes for a number of milliseconds. */
    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            clock.advance(STEP);
            nodes.forEach(Node::work);
            network.settle();
        }
    }

    /** Runs all nodes until a condition holds, for at most ten seconds of the clock. */
    void runUntil(BooleanSupplier condition) {
        for (int i = 0; i < 10_000; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            run(1);
        }
        throw new AssertionError("It does not come about within 10 s of the nodes' time.");
    }

    /** A queue node without sources and channel manager. */
    public final class Node {
        final String id;
        final long session = ++sessions;
        final long stream = 0xA000 + session;
        final MemoryJournal journal;
        final BatchRing ring = new BatchRing(SLOTS, BatchLayout.LENGTH_MAX);
        final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
        final List<String> told = new ArrayList<>();
        private final MemoryTransport transport;
        private final MemoryCluster.Node membership = cluster.join();
        private final Journaler journaler;
        private final Acknowledger acknowledger;
        private final Replicator replicator;
        private final Endpoint address;
        private final Batches batches = new Batches();
        private boolean journals = true;
        private long accepted;

        Node(String id, MemoryJournal journal, String clusterName) {
            this.id = id;
            this.journal = journal;
            transport = network.transport(id);
            Followers followers = new Followers();
            PeerNetwork network =
                    new PeerNetwork(new LocalNode(clusterName, id, session, stream), membership, transport, clock);
            replicator = new Replicator(network, journal, ring, followers, counters);
            acknowledger = new Acknowledger(
                    network, journal, followers, ReplicationPolicy.of(COPIES), new WaitLimits(30_000, 64), counters);
            BatchAppender appender = new BatchAppender(journal, clock, counters);
            journaler = new Journaler(
                    ring,
                    appender,
                    new OwnStream(appender, stream, acknowledger),
                    new CopiedStreams(appender, replicator, counters),
                    new JournalTruncator(journal, membership, () -> 0, clock, counters));
            address = replicator.listen(new Endpoint(id, 0));
            announce();
        }

        private void announce() {
            membership.announce(new QueueMember(
                    id, session, address.toString(), "", stream, "", journal.bases(), journal.durables(), false));
        }

        private void work() {
            replicator.doWork();
            if (journals) {
                journaler.doWork();
                acknowledger.doWork();
            }
            announce();
        }

        /** Stops or resumes the journaler's thread; a stopped journaler simulates a hanging disk. */
        void stopFollowing() {
            replicator.stopFollowing();
        }

        void journals(boolean newJournals) {
            journals = newJournals;
        }

        /** Accepts points; {@link #told} records the answer to the sender. */
        void accept(int count) {
            long sequence = ring.tryClaim();
            Slot slot = ring.slot(sequence);
            slot.buffer().putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN);
            int length = batches.records(slot.buffer(), stream, accepted + 1, count, 0);
            accepted += count;
            slot.fill(length, count, sender(accepted));
            ring.publish(sequence);
        }

        private Completion sender(long seq) {
            return new Completion() {
                @Override
                public void journaled() {
                    told.add(seq + " ok");
                }

                @Override
                public void failed(String reason) {
                    told.add(seq + " " + reason);
                }
            };
        }

        long has(Node other) {
            return journal.position(other.stream);
        }

        long count(QueueCounter counter) {
            return counters.get(counter);
        }

        Endpoint address() {
            return address;
        }

        /** Cuts the node off from the coordinator until its session has expired; its connections with peers stay. */
        void loseCoordinator() {
            membership.disconnect();
            membership.expire();
        }

        void findCoordinator() {
            membership.reconnect();
        }

        /** Reports a false gap to the replicator. */
        void onGap(Node other) {
            replicator.onGap(other.stream);
        }

        /** Drops the oldest batch in the ring. */
        void dropFirstSlot() {
            ring.poll(slot -> true, 1);
        }

        /** Kills the node; all written records stay in the journal. */
        MemoryJournal kill() {
            nodes.remove(this);
            network.crash(transport);
            membership.expire();
            membership.close();
            journal.reopen();
            return journal;
        }

        /** Breaks all connections with another node; the process lives on. */
        void loseConnectionWith(Node other) {
            network.cut(id, other.id);
        }
    }
}
