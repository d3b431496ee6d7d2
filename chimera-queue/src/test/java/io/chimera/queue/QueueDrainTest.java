package io.chimera.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.DatagramHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.Listeners;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.peer.LocalNode;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The drain of a queue node, step by step. */
final class QueueDrainTest {
    private static final long SESSION = 1;
    private static final long OWN = 77;

    private final ManualClock clock = new ManualClock();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Lead lead = cluster.lead();
    private final MemoryCluster.Node self = cluster.join();
    private final MemoryCluster.Node peer = cluster.join();
    private final MemoryCluster.Node processor = cluster.join();
    private final MemoryJournal journal = new MemoryJournal(SyncPolicy.BATCH, 5, clock);
    private final Batches batches = new Batches();
    private final FakeListeners listeners = new FakeListeners();
    private boolean isFollowing = true;
    private final QueueIdentity identity = new QueueIdentity(
            new LocalNode("test", "q1", SESSION, OWN), "q1", "q1:2", new ConfigurationDigest("d"), Path.of("unused"));
    private final QueueEnvironment environment = new QueueEnvironment(
            clock,
            self,
            QueuePorts.open(new MemoryNetwork().transport("q1"), listeners, clock),
            new Counters<>(QueueCounter.class),
            error -> {},
            PluginHost.ofClassPath());
    private final PositionAnnouncer announcer = new PositionAnnouncer(
            identity,
            CyclePeriods.fixed(Duration.ofSeconds(1)),
            environment,
            journal,
            List::of,
            () -> List.of(new ConfigurationDigest("d")),
            () -> JournalState.NONE);
    private final QueueDrain drain = new QueueDrain(
            identity,
            environment,
            environment.cluster(),
            new DrainedRecords(new BatchRing(8, BatchLayout.LENGTH_MAX), journal, () -> isFollowing = false),
            ReplicationPolicy.of(2),
            announcer);

    @Test
    void takesDataInUntilItsLastCycleIsCommittedThenClosesItsInputs() {
        announce();
        begin();
        drain.begin();
        run(2_000);
        assertThat(self.view().queue(SESSION).orElseThrow().leaving()).isTrue();
        assertThat(drain.awaits().orElseThrow()).contains("cycle 1 to be committed");
        assertThat(listeners.isStopped).isFalse();

        commit();
        run(200);

        assertThat(listeners.isStopped).isTrue();
        assertThat(drain.awaits()).isEmpty();
    }

    /** Such a node may have been removed, and is refused when it returns with its old folder. */
    @Test
    void waitsForNothingBeforeTheNodeHasJoined() {
        peer.announce(member("q2", 2, Positions.NONE));
        batches.append(journal, OWN, 1, 5);
        journal.sync();
        announcer.listening(new Endpoint("q1", 1));
        drain.begin();
        clock.advanceMs(50);
        drain.doWork();
        assertThat(drain.awaits()).isEmpty();
        assertThat(drain.isCopied()).isFalse();
        assertThat(drain.isRemovable()).isFalse();
        assertThat(listeners.isStopped).isTrue();
        assertThat(drain.hasOpenRecords()).isTrue();

        run(2_000);

        assertThat(self.view().queue(SESSION)).isEmpty();
        assertThat(drain.awaits()).isEmpty();
    }

    @Test
    void anEmptyJournalHasNoOpenRecords() {
        assertThat(drain.hasOpenRecords()).isFalse();

        batches.append(journal, OWN, 1, 5);
        assertThat(drain.hasOpenRecords()).as("appended, and not durable yet").isTrue();

        journal.sync();
        journal.truncate(Positions.of(OWN, 5));
        assertThat(drain.hasOpenRecords()).isFalse();
    }

    @Test
    void waitsForTheAnswersOfRequestsThatCameBefore() {
        announce();
        listeners.unanswered = 1;
        drain.begin();
        run(2_000);
        assertThat(listeners.isStopped).isTrue();
        assertThat(drain.awaits().orElseThrow()).contains("requests to be answered");

        listeners.unanswered = 0;
        run(200);

        assertThat(drain.awaits()).isEmpty();
    }

    @Test
    void waitsUntilOthersHoldWhatIsInItsJournal() {
        announce();
        batches.append(journal, OWN, 1, 5);
        journal.sync();
        drain.begin();
        run(2_000);
        assertThat(drain.awaits().orElseThrow()).contains("copy its journal");
        assertThat(drain.isCopied()).isFalse();

        peer.announce(member("q2", 2, Positions.of(OWN, 5)));
        run(200);

        assertThat(drain.awaits()).isEmpty();
        assertThat(drain.isCopied()).isTrue();
    }

    @Test
    void followsPeersUntilTheyHaveCopiedTheFirstRecordsThenNeedsCopiesOfAll() {
        announce();
        batches.append(journal, 88, 1, 5);
        journal.sync();
        drain.begin();
        run(2_000);
        assertThat(drain.awaits().orElseThrow()).contains("copy its journal");

        batches.append(journal, 88, 6, 5);
        journal.sync();
        assertThat(isFollowing).isTrue();
        peer.announce(member("q2", 2, Positions.of(88, 5)));
        run(200);

        assertThat(isFollowing).isFalse();
        assertThat(drain.awaits().orElseThrow())
                .as("the acknowledgement of later records may count this journal")
                .contains("copy its journal");
        assertThat(drain.isCopied()).isFalse();

        peer.announce(member("q2", 2, Positions.of(88, 10)));
        run(200);

        assertThat(drain.awaits()).isEmpty();
        peer.announce(member("q2", 2, Positions.NONE));
        run(200);
        assertThat(drain.awaits()).as("a finished drain stays finished").isEmpty();
        assertThat(drain.isCopied()).isTrue();
    }

    @Test
    void aPeerThatLeavesHoldsNoCopyForAnotherThatLeaves() {
        announce();
        MemoryCluster.Node third = cluster.join();
        third.announce(member("q3", 3, Positions.NONE));
        peer.announce(new QueueMember("q2", 2, "a", "h", 88, "d", Positions.NONE, Positions.of(OWN, 5), true));
        batches.append(journal, OWN, 1, 5);
        journal.sync();
        drain.begin();
        run(2_000);
        assertThat(drain.awaits().orElseThrow()).contains("copy its journal");

        assertThat(drain.awaits().orElseThrow()).contains("q3 lacks 5").doesNotContain("q2");

        third.announce(member("q3", 3, Positions.of(OWN, 3)));
        run(200);
        assertThat(drain.awaits().orElseThrow()).contains("q3 lacks 2");

        third.announce(member("q3", 3, Positions.of(OWN, 5)));
        run(200);

        assertThat(drain.awaits()).isEmpty();
    }

    /** Both would count on the journal of the other, and none would be left. */
    @Test
    void mayNotBeRemovedOnTheCopyOfANodeThatLeavesToo() {
        announce();
        batches.append(journal, OWN, 1, 5);
        journal.sync();
        peer.announce(new QueueMember("q2", 2, "a", "h", 88, "d", Positions.NONE, Positions.of(OWN, 5), true));
        drain.begin();
        run(2_000);
        assertThat(drain.isCopied()).isTrue();
        assertThat(drain.isRemovable()).isFalse();

        peer.announce(member("q2", 2, Positions.of(OWN, 5)));
        assertThat(drain.isRemovable()).isTrue();
    }

    @Test
    void namesDeadNodesThatHoldUpItsLastCycles() {
        announce();
        batches.append(journal, OWN, 1, 5);
        journal.sync();
        peer.close();
        cluster.join().announce(member("w1", 3, new JournalGroup("west")));
        drain.begin();
        run(2_000);

        assertThat(drain.awaits().orElseThrow()).contains("stored").contains("q2");
    }

    @Test
    void waitsForNoCopiesOfWhatIsVerified() {
        announce();
        batches.append(journal, OWN, 1, 5);
        journal.sync();
        begin();
        commit();
        drain.begin();
        run(2_000);
        assertThat(drain.awaits().orElseThrow()).contains("copy its journal");

        assertThat(lead.advance(new LowMark(1, 1, Positions.of(OWN, 5), LowMark.Totals.ZERO)))
                .isTrue();
        run(200);

        assertThat(drain.awaits()).isEmpty();
    }

    /** A node with an empty disk cannot provide the records: the only copy must not be deleted. */
    @Test
    void mayStopButNotGoForGoodWhileNobodyElseHoldsWhatItHas() {
        peer.close();
        announcer.listening(new Endpoint("q1", 1));
        announcer.doWork();
        batches.append(journal, OWN, 1, 5);
        journal.sync();
        drain.begin();
        run(2_000);
        assertThat(drain.awaits()).isEmpty();
        assertThat(drain.isCopied()).isFalse();

        MemoryCluster.Node returned = cluster.join();
        returned.announce(member("q2", 3, Positions.NONE));
        run(200);
        assertThat(drain.awaits().orElseThrow()).contains("copy its journal");
        assertThat(drain.isCopied()).isFalse();

        returned.announce(member("q2", 3, Positions.of(OWN, 5)));
        run(200);
        assertThat(drain.isCopied()).isTrue();
    }

    @Test
    void mayGoForGoodAloneWhenAllThatItHasIsVerified() {
        peer.close();
        announcer.listening(new Endpoint("q1", 1));
        announcer.doWork();
        drain.begin();
        run(2_000);

        assertThat(drain.isCopied()).isTrue();
    }

    @Test
    void closesItsInputsFirstAsTheLastNodeOfItsGroup() {
        announce();
        begin();
        peer.announce(member("w1", 2, new JournalGroup("west")));
        drain.begin();
        run(200);

        assertThat(listeners.isStopped).isTrue();
    }

    @Test
    void closesItsInputsFirstWhenNoOtherNodeHasItsLane() {
        announce();
        begin();
        peer.announce(member("q2.1", 2, JournalGroup.DEFAULT.lane(1)));
        drain.begin();
        run(200);

        assertThat(listeners.isStopped).isTrue();
    }

    /** The points of the lane need two copies, so no cycle names them. */
    @Test
    void namesTheNodesWithoutItsLane() {
        JournalGroup lane = JournalGroup.DEFAULT.lane(1);
        Cluster ofLane = new GroupCluster(self, lane);
        self.announce(member("q1.1", SESSION, lane));
        cluster.join().announce(member("q1", 3, JournalGroup.DEFAULT));
        peer.announce(member("q2", 2, JournalGroup.DEFAULT));
        batches.append(journal, OWN, 1, 5);
        journal.sync();
        QueueDrain ofLaneDrain = new QueueDrain(
                new QueueIdentity(
                        new LocalNode("test", "q1.1", lane, SESSION, OWN),
                        "q1",
                        "q1:2",
                        new ConfigurationDigest("d"),
                        Path.of("unused")),
                environment.with(ofLane),
                self,
                new DrainedRecords(new BatchRing(8, BatchLayout.LENGTH_MAX), journal, () -> {}),
                ReplicationPolicy.of(2),
                announcer);
        ofLaneDrain.begin();
        self.announce(new QueueMember(
                "q1.1",
                lane,
                SESSION,
                "a",
                "h",
                OWN,
                List.of(new ConfigurationDigest("d")),
                Positions.NONE,
                Positions.NONE,
                true,
                List.of(),
                0,
                List.of()));
        for (int poll = 0; poll < 200; poll++) {
            clock.advanceMs(10);
            ofLaneDrain.doWork();
        }

        assertThat(ofLaneDrain.awaits().orElseThrow()).contains("stored", "q2", "lane 1", "queue.lanes");
    }

    private static QueueMember member(String id, long session, JournalGroup group) {
        return new QueueMember(
                id,
                group,
                session,
                "a",
                "h",
                88,
                List.of(new ConfigurationDigest("d")),
                Positions.NONE,
                Positions.NONE,
                false,
                List.of(),
                0,
                List.of());
    }

    private void announce() {
        announcer.listening(new Endpoint("q1", 1));
        announcer.doWork();
        peer.announce(member("q2", 2, Positions.NONE));
    }

    /** Commits the only shard of the cycle; the conductor records the committed cycle, and queue nodes see the record. */
    private void commit() {
        processor.commit(new ShardCommit(1, 0, 5, new ShardCommit.Accounts(0, 0, 0, 0), 0, 1), 0);
        assertThat(lead.verify(1, LowMark.Totals.ZERO)).isTrue();
    }

    private void begin() {
        Cycle cycle = new Cycle(1, lead.epoch(), 1, Positions.of(OWN, 5), List.of(SESSION, 2L), List.of(5L));
        assertThat(lead.begin(cycle, new Assignment(0, List.of(SESSION, 2L), List.of(5L))))
                .isTrue();
    }

    private static QueueMember member(String id, long session, Positions positions) {
        return new QueueMember(id, session, "a", "h", 88, "d", Positions.NONE, positions, false);
    }

    private void run(long ms) {
        for (long past = 0; past < ms; past += 10) {
            clock.advanceMs(10);
            announcer.doWork();
            drain.doWork();
        }
    }

    static final class FakeListeners implements Listeners {
        private boolean isStopped;
        private int unanswered;

        @Override
        public Endpoint http(Endpoint local, HttpHandler handler, Limits limits) {
            return local;
        }

        @Override
        public Endpoint tcp(Endpoint local, Supplier<StreamHandler> handlers, Limits limits) {
            return local;
        }

        @Override
        public Endpoint udp(Endpoint local, DatagramHandler handler) {
            return local;
        }

        @Override
        public void unbind() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void stop() {
            isStopped = true;
        }

        @Override
        public int unanswered() {
            return unanswered;
        }

        @Override
        public void close() {}
    }
}
