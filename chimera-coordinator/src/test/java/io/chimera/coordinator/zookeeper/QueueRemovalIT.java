package io.chimera.coordinator.zookeeper;

import static io.chimera.coordinator.zookeeper.TestSessions.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Content;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Member;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the removal of queue nodes at a real server, and the return of removed ones. */
final class QueueRemovalIT {
    private static final JournalGroup LANE = JournalGroup.DEFAULT.lane(1);
    private static final AtomicInteger CLUSTERS = new AtomicInteger();
    private static TestingServer server;

    private final TestSessions sessions = new TestSessions(server.getConnectString(), "r" + CLUSTERS.incrementAndGet());

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestingServer();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @AfterEach
    void disconnect() {
        sessions.close();
    }

    @Test
    void unregistersAQueueNodeWithAllLanes() {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue("q1", 11));
        session.openCluster().announce(queue("q1.1", 12).in(LANE));
        until(() -> session.view().registered() == 2);
        JournalLosses none = session.view().journals().losses();
        session.close();

        ZooKeeperSession operator = connected();
        until(() -> operator.view().queues().isEmpty());
        assertThat(operator.unregister(List.of("q1", "q1.1", "q1.2"), none)).isTrue();

        until(() -> operator.view().registered() == 0);
        // a loss is visible after the lost registration
        until(() -> operator.view().journals().losses().of(JournalGroup.DEFAULT) == 1);
        JournalLosses losses = operator.view().journals().losses();
        assertThat(losses.of(LANE)).isEqualTo(1);
        assertThat(operator.unregister(List.of("q1", "q1.1"), losses)).isFalse();
    }

    /** A node without one of its lanes could not return, and the cluster would wait for the journals of the others. */
    @Test
    void removesNoLaneOfANodeThatHasReturned() {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue("q1", 11));
        until(() -> session.view().registered() == 1);
        session.cluster().close();
        ZooKeeperSession returned = connected();
        returned.cluster().announce(queue("q1.1", 12).in(LANE));
        until(() -> session.view().registered() == 2);
        JournalLosses seen = session.view().journals().losses();

        assertThatThrownBy(() -> session.unregister(List.of("q1", "q1.1"), seen))
                .hasMessageContaining("has returned")
                .hasMessageContaining("Drain");

        sessions.by(client -> {
            assertThat(client.exists(sessions.znodes().group("q1"), false)).isNotNull();
            assertThat(client.exists(sessions.znodes().group("q1.1"), false)).isNotNull();
        });
        assertThat(session.view().journals().losses()).isEqualTo(seen);
        assertThat(returned.problem()).isEmpty();
    }

    /** Two removals permitted by the same view could each count on the journal of the other. */
    @Test
    void refusesARemovalAfterAnotherLossOfTheGroup() {
        ZooKeeperSession session = connected();
        ZooKeeperSession other = connected();
        session.cluster().announce(queue("q1", 11));
        other.cluster().announce(queue("q2", 12));
        until(() -> session.view().registered() == 2);
        JournalLosses seen = session.view().journals().losses();
        session.cluster().close();
        other.cluster().close();
        assertThat(session.unregister(List.of("q1"), seen)).isTrue();

        assertThatThrownBy(() -> session.unregister(List.of("q2"), seen)).hasMessageContaining("lost another journal");

        until(() -> !session.view().journals().losses().equals(seen));
        assertThat(session.unregister(List.of("q2"), session.view().journals().losses()))
                .isTrue();
    }

    @Test
    void removesADrainedNodeOnlyForTheProcessThatHoldsTheId() {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue("q1", 11));
        until(() -> session.view().registered() == 1);
        JournalLosses none = session.view().journals().losses();

        assertThatThrownBy(() -> session.unregisterDrained("q1", 10, none)).hasMessageContaining("Another process");
        assertThat(session.unregisterDrained("q1", 11, none)).isTrue();

        until(() -> session.view().registered() == 0);
        session.cluster().close();
        assertThatThrownBy(() -> session.unregisterDrained("q1", 11, none)).hasMessageContaining("q1 has ended");
    }

    /** A process that took a failed removal for a done one would stop, and the cluster would wait for its journal. */
    @Test
    void failsARemovalWhoseHolderHasEndedMeanwhile() throws Exception {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue("q1", 11));
        until(() -> session.view().registered() == 1);
        Deregistration removal = new Deregistration(
                session.zooKeeper(),
                session.agent().live(),
                session.view().journals().losses(),
                session.view().groups());
        removal.addHeldBy(11, "q1");
        session.cluster().close();

        assertThatThrownBy(removal::execute).hasMessageContaining("retry");

        sessions.by(client ->
                assertThat(client.exists(sessions.znodes().group("q1"), false)).isNotNull());
    }

    @Test
    void refusesARemovedNodeThatReturnsWithItsOldJournal() {
        ZooKeeperSession session = connected();
        CycleStore lead = session.conductorship("c1");
        session.cluster().announce(queue("q1", 11).with(JournalState.of(7)));
        until(() -> session.view().registered() == 1 && lead.epoch() > 0);
        begin(session, lead, 1);
        remove(session);
        String history = session.view().low().history();
        QueueMember old = queue("q1", 11).with(JournalState.registered(7, history));

        ZooKeeperSession returning = connected();
        until(() -> returning.view().newest() == 1);
        returning.cluster().announce(old.keeping(ControlMark.of(history, 0, 1)));
        until(() -> isRemoved(returning));
        assertThat(session.view().registered()).isZero();
    }

    /** A node keeps no copy of the control state before the first cycle. */
    @Test
    void refusesARemovedNodeBeforeTheFirstCycle() {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue("q1", 11).with(JournalState.of(7)));
        until(() -> session.view().registered() == 1);
        remove(session);

        ZooKeeperSession returning = connected();
        JournalState journal = JournalState.registered(7, session.view().low().history());
        returning.cluster().announce(queue("q1", 11).with(journal));

        until(() -> isRemoved(returning));
        assertThat(session.view().registered()).isZero();

        returning.cluster().announce(leaving(queue("q1", 11).with(journal)));
        awaitFurtherViews(returning);
        assertThat(returning.view().queue(11)).as("a drain is no way to join").isEmpty();
        assertThat(isRemoved(returning)).isTrue();
    }

    /** The loss of the tree before the first cycle loses the registrations, and no record. */
    @Test
    void registersANodeOfALostTreeAgain() {
        ZooKeeperSession session = connected();

        session.cluster().announce(queue("q1", 11).with(JournalState.registered(7, "lost")));

        until(() -> session.view().registered() == 1);
        assertThat(session.problem()).isEmpty();
    }

    /** A server that lags shows a tree from before the removal, which lacks cycles of the node's copy. */
    @Test
    void waitsForALaggingViewBeforeItRegistersAgain() {
        ZooKeeperSession session = connected();
        CycleStore lead = session.conductorship("c1");
        session.cluster().announce(queue("q1", 11).with(JournalState.of(7)));
        until(() -> session.view().registered() == 1 && lead.epoch() > 0);
        begin(session, lead, 1);
        remove(session);
        String history = session.view().low().history();
        QueueMember old = queue("q1", 11).with(JournalState.registered(7, history));
        SlowClock clock = new SlowClock();
        ZooKeeperSession returning = sessions.open(clock);
        until(() -> returning.view().newest() == 1);

        returning.cluster().announce(old.keeping(ControlMark.of(history, 0, 2)));
        begin(session, lead, 2);

        until(() -> isRemoved(returning));
        assertThat(session.view().registered()).isZero();

        returning.cluster().announce(old.keeping(ControlMark.of(history, 0, 3)));
        until(() -> {
            clock.advanceNs(ControlMark.LAG_NS_MAX);
            return session.view().registered() == 1;
        });
    }

    /** The node was registered for the first time by this process, then cut off and removed. */
    @Test
    void refusesALiveProcessThatWasRemoved() {
        ZooKeeperSession session = connected();
        QueueMember first = queue("q1", 11).with(JournalState.of(7));
        session.cluster().announce(first);
        until(() -> session.view().registered() == 1);
        String history = session.view().low().history();
        session.cluster().announce(first.with(JournalState.registered(7, history)));

        Znodes znodes = sessions.znodes();
        sessions.by(client -> client.multi(List.of(
                Op.delete(znodes.holder("queue", "q1"), -1),
                Op.delete(znodes.queue(11), -1),
                Op.delete(znodes.group("q1"), -1))));

        until(() -> isRemoved(session));
        assertThat(session.view().registered()).isZero();

        session.cluster().announce(leaving(first.with(JournalState.registered(7, history))));
        awaitFurtherViews(session);
        assertThat(session.view().queue(11)).as("a drain is no way to join").isEmpty();
        assertThat(isRemoved(session)).isTrue();
    }

    @Test
    void refusesAnOldJournalAfterTheNodeHasRunWithANewOne() {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue("q1", 11).with(JournalState.of(8)));
        until(() -> session.view().registered() == 1);
        session.cluster().close();

        ZooKeeperSession returning = connected();
        JournalState old = JournalState.registered(7, session.view().low().history());
        returning.cluster().announce(queue("q1", 11).with(old));

        until(() -> isRefusedFor(returning, "another data folder"));
    }

    /** A slow link, or a server that lags, lets another folder register between the decision and the announcement. */
    @Test
    void looksAgainAtARegistrationThatHasChangedSinceTheDecision() {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue("q1", 11).with(JournalState.of(8)));
        until(() -> session.view().registered() == 1);
        session.cluster().close();
        ZooKeeperSession returning = connected();
        QueueMember self = queue("q1", 12).with(JournalState.registered(8, "h"));
        String path = sessions.znodes().group("q1");
        List<byte[]> looked = new CopyOnWriteArrayList<>();
        RegistrationRule rule = new RegistrationRule() {
            @Override
            public Optional<String> refusalAfter(byte[] earlier) {
                looked.add(earlier);
                if (looked.size() == 1) {
                    byte[] other = ZnodeCodec.registered(self.with(JournalState.of(9)));
                    sessions.by(client -> client.setData(path, other, ZooKeeperLink.ANY_VERSION));
                }
                return new JournalRegistration(self).refusalAfter(earlier);
            }
        };
        MemberAnnouncer announcer = new MemberAnnouncer(returning.agent(), sessions.counters());
        returning.agent().add(announcer);

        announcer.announce(new MemberAnnouncement(
                new Member("queue", "q1", 12),
                new Content(sessions.znodes().queue(12), ZnodeCodec.encode(self)),
                Optional.of(new Content(path, ZnodeCodec.registered(self))),
                rule,
                Optional.empty(),
                view -> view.queue(12).isPresent()));

        until(() -> !announcer.refusal().isEmpty() || returning.view().queue(12).isPresent());
        assertThat(announcer.refusal()).contains("another data folder");
        assertThat(returning.view().queue(12)).isEmpty();
    }

    /** The znodes of an earlier ZooKeeper session of the process are no permission to end the only copy. */
    @Test
    void refusesANewFolderAlsoWhileAnEarlierSessionOfTheProcessHoldsTheId() {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue("q1", 11).with(JournalState.of(7)));
        until(() -> session.view().registered() == 1);
        session.cluster().close();
        QueueMember self = queue("q1", 12).with(JournalState.of(8));
        Znodes znodes = sessions.znodes();
        String holder = znodes.holder("queue", "q1");
        sessions.by(client -> client.multi(List.of(
                Op.create(holder, ZnodeCodec.holder(12), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
                Op.create(znodes.queue(12), ZnodeCodec.encode(self), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT))));
        ZooKeeperSession returning = connected();
        long before = sessions.counters().get(ClusterCounter.ANNOUNCEMENTS);

        returning.cluster().announce(self);

        until(() -> returning.problem().isPresent() || sessions.counters().get(ClusterCounter.ANNOUNCEMENTS) > before);
        assertThat(returning.problem().orElseThrow()).contains("cluster remove --lost q1");
        sessions.by(client -> {
            assertThat(client.exists(holder, false).getEphemeralOwner())
                    .as("the znode of the earlier session")
                    .isZero();
            assertThat(ZnodeCodec.registered(client.getData(znodes.group("q1"), false, null))
                            .journal()
                            .id())
                    .isEqualTo(7);
        });
    }

    /** An operator who knows that the disk is lost ends the wait. */
    @Test
    void awaitsTheOnlyCopyUntilItIsGivenUp() {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue("q1", 11).with(JournalState.of(7)));
        until(() -> session.view().registered() == 1);

        ZooKeeperSession second = connected();
        second.cluster().announce(queue("q1", 12).with(JournalState.of(8)));
        until(() -> isRefusedFor(second, "Another process"));
        session.cluster().close();
        until(() -> isRefusedFor(second, "cluster remove --lost q1"));

        assertThat(session.unregister(List.of("q1"), session.view().journals().losses()))
                .isTrue();
        until(() -> session.view().queue(12).isPresent());
        until(() -> second.problem().isEmpty());
    }

    private static boolean isRefusedFor(ZooKeeperSession session, String reason) {
        return session.problem().filter(text -> text.contains(reason)).isPresent();
    }

    private ZooKeeperSession connected() {
        ZooKeeperSession session = sessions.open();
        until(() -> session.view().connected());
        return session;
    }

    /** Stops and removes q1. */
    private static void remove(ZooKeeperSession session) {
        session.cluster().close();
        assertThat(session.unregister(List.of("q1"), session.view().journals().losses()))
                .isTrue();
        until(() -> session.view().registered() == 0);
    }

    private static boolean isRemoved(ZooKeeperSession session) {
        return isRefusedFor(session, "was removed from the cluster");
    }

    private static void begin(ZooKeeperSession session, CycleStore lead, long number) {
        Cycle cycle =
                new Cycle(number, lead.epoch(), number * 10, Positions.of(7, number * 5), List.of(11L), List.of(21L));
        assertThat(lead.begin(cycle, new Assignment(0, List.of(11L), List.of(21L))))
                .isTrue();
        until(() -> session.view().newest() == number);
    }

    /** Lets a session act on several views: another member joins and moves on. */
    private void awaitFurtherViews(ZooKeeperSession session) {
        ZooKeeperSession other = connected();
        for (long seq = 1; seq <= 5; seq++) {
            long announced = seq;
            QueueMember member = queue("q2", 12);
            other.cluster().announce(member.at(Positions.of(7, announced)));
            until(() -> session.view()
                    .queue(12)
                    .filter(shown -> shown.position(7) == announced)
                    .isPresent());
        }
    }

    private static QueueMember leaving(QueueMember member) {
        return new QueueMember(
                member.id(),
                member.group(),
                member.session(),
                member.address(),
                member.http(),
                member.stream(),
                member.digests(),
                member.bases(),
                member.positions(),
                true,
                member.unreachable(),
                member.clockMs(),
                member.past(),
                member.kept(),
                member.journal());
    }

    private static QueueMember queue(String id, long session) {
        return new QueueMember(id, session, "a:1", "h:2", session + 100, "d", Positions.NONE, Positions.NONE, false);
    }

    /** Clock that is ten times slower than the machine, so that no wait ends before a slow test has acted. */
    private static final class SlowClock implements Clock {
        private static final long SLOWNESS = 10;

        private final Clock system = new SystemClock();
        private final AtomicLong advancedNs = new AtomicLong();

        void advanceNs(long ns) {
            advancedNs.addAndGet(ns);
        }

        @Override
        public long nanoTime() {
            return system.nanoTime() / SLOWNESS + advancedNs.get();
        }

        @Override
        public long epochNs() {
            return system.epochNs();
        }
    }
}
