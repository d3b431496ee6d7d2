package io.chimera.coordinator.zookeeper;

import static io.chimera.coordinator.zookeeper.TestSessions.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

/** Tests the rebuild of a tree in a real ZooKeeper, and conductors that continue from the rebuilt tree. */
final class TreeRecoveryIT {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final Positions FIVE = Positions.of(0xaL, 5);
    private static final Positions NINE = Positions.of(0xaL, 9);

    @Test
    void rebuildsWhatWasLost() throws Exception {
        ControlState copy;
        long epoch;
        try (TestingServer server = new TestingServer();
                TestSessions sessions = new TestSessions(server.getConnectString(), "c")) {
            ZooKeeperSession session = sessions.open();
            copy = history(session);
            epoch = session.epoch();
            assertThat(session.recovery().read().atLeast(0).cycles()).isEqualTo(copy.cycles());
        }
        try (TestingServer server = new TestingServer();
                TestSessions sessions = new TestSessions(server.getConnectString(), "c")) {
            ZooKeeperSession session = sessions.open();
            until(session::isLive);
            assertThat(session.view().low().history()).isNotEqualTo(copy.low().history());
            TreeRecovery recovery = session.recovery();
            assertThat(recovery.read().newest()).isZero();

            recovery.write(copy);

            until(() -> ControlState.of(session.view()).equals(copy));
            assertThat(session.epoch()).isGreaterThan(epoch);
            CycleStore lead = session.conductorship("c2");
            until(() -> lead.epoch() > 0);
            assertThat(lead.begin(cycle(3, lead.epoch(), NINE), assignment(0))).isTrue();
        }
    }

    @Test
    void rebuildsATreeOfSeveralJournalGroupsWithTheirProtocol() throws Exception {
        JournalGroup east = new JournalGroup("east");
        ControlState oneGroup;
        ControlState twoGroups;
        try (TestingServer server = new TestingServer();
                TestSessions sessions = new TestSessions(server.getConnectString(), "c")) {
            ZooKeeperSession session = sessions.open();
            oneGroup = history(session);
            session.cluster()
                    .announce(new QueueMember("q2", 12, "a:1", "h:2", 112, "d", Positions.NONE, Positions.NONE, false)
                            .in(east));
            until(() -> session.view().roster().groups().containsValue(east));
            twoGroups = ControlState.of(session.view());
        }
        try (TestingServer server = new TestingServer();
                TestSessions sessions = new TestSessions(server.getConnectString(), "c")) {
            ZooKeeperSession session = sessions.open();
            until(session::isLive);
            TreeRecovery recovery = session.recovery();
            recovery.read();

            recovery.write(oneGroup);
            assertThat(protocol(sessions)).isEqualTo(1);

            recovery.read();
            recovery.write(twoGroups);
            assertThat(protocol(sessions)).isEqualTo(2);
            until(() -> session.view().roster().equals(twoGroups.roster()));
        }
    }

    private static int protocol(TestSessions sessions) throws Exception {
        AtomicInteger protocol = new AtomicInteger();
        sessions.by(client -> protocol.set(
                ZnodeCodec.protocol(client.getData(sessions.znodes().version(), false, null))));
        return protocol.get();
    }

    @Test
    void rebuildsADamagedMarkAndNobodyWorksMeanwhile() throws Exception {
        try (TestingServer server = new TestingServer();
                TestSessions sessions = new TestSessions(server.getConnectString(), "c")) {
            ZooKeeperSession session = sessions.open();
            ControlState copy = history(session);
            byte[] damaged = "{".getBytes(StandardCharsets.UTF_8);
            sessions.by(client -> client.setData(sessions.znodes().low(), damaged, -1));

            until(() -> !session.view().connected());
            assertThat(session.problem()).get().asString().contains("low").contains("chimera cluster recover");
            ZooKeeperSession fresh = sessions.open();
            until(fresh::isLive);
            assertThat(fresh.view().connected()).isFalse();
            TreeRecovery recovery = fresh.recovery();
            recovery.read();
            assertThat(recovery.defects()).singleElement().asString().contains("/low");

            recovery.write(copy);

            until(() -> session.view().connected() && fresh.view().connected());
            assertThat(ControlState.of(fresh.view())).isEqualTo(copy);
            assertThat(session.problem()).isEmpty();
        }
    }

    /** The cycles of such a tree are sound, so that the cluster works meanwhile. */
    @Test
    void mendsUnreadableLossesAboveAllProofs() throws Exception {
        try (TestingServer server = new TestingServer();
                TestSessions sessions = new TestSessions(server.getConnectString(), "c")) {
            ZooKeeperSession session = sessions.open();
            session.cluster()
                    .announce(new QueueMember("q1", 11, "a:1", "h:2", 111, "d", Positions.NONE, Positions.NONE, false)
                            .with(JournalState.of(7).copiedAfter(3)));
            until(() -> session.view().registered() == 1);
            session.cluster().close();
            until(() -> session.view().queues().isEmpty());
            sessions.by(client -> client.setData(sessions.znodes().groups(), new byte[] {'['}, -1));
            TreeRecovery recovery = session.recovery();
            recovery.read();
            assertThat(recovery.defects()).isEmpty();
            assertThat(recovery.unreadableLosses()).get().asString().contains("/group", "chimera cluster recover");
            JournalLosses seen = session.view().journals().losses();
            assertThatThrownBy(() -> session.unregister(List.of("q1"), seen))
                    .hasMessageContaining("chimera cluster recover");

            recovery.mendLosses();

            until(() -> session.view().journals().losses().of(JournalGroup.DEFAULT) == 4);
            assertThat(session.view().journals().isCopied("q1", JournalGroup.DEFAULT))
                    .isFalse();
            recovery.read();
            assertThat(recovery.unreadableLosses()).isEmpty();
            JournalLosses mended = session.view().journals().losses();
            assertThat(session.unregister(List.of("q1"), mended)).isTrue();
        }
    }

    @Test
    void readsTheConnectedQueueNodesBeforeTheViewIsComplete() throws Exception {
        try (TestingServer server = new TestingServer();
                TestSessions sessions = new TestSessions(server.getConnectString(), "c")) {
            ZooKeeperSession member = sessions.open();
            member.cluster()
                    .announce(new QueueMember("q1", 11, "a:1", "h:2", 111, "d", Positions.NONE, Positions.NONE, false));
            until(() -> member.view().queues().size() == 1);
            for (int i = 0; i < 20; i++) {
                ZooKeeperSession fresh = sessions.open();
                until(fresh::isLive);
                assertThat(fresh.recovery().queues())
                        .extracting(QueueMember::id)
                        .containsExactly("q1");
                assertThat(fresh.recovery().processors()).isZero();
            }
        }
    }

    @Test
    void rebuildsATreeForNodesWithTheSecretOnly() throws Exception {
        ControlState copy;
        try (TestingServer server = new TestingServer();
                TestSessions sessions = new TestSessions(server.getConnectString(), "c", SECRET)) {
            copy = history(sessions.open());
        }
        try (TestingServer server = new TestingServer();
                TestSessions sessions = new TestSessions(server.getConnectString(), "c", SECRET)) {
            ZooKeeperSession session = sessions.open();
            until(session::isLive);
            sessions.by(client -> {
                client.addAuthInfo("digest", ("c:" + SECRET).getBytes(StandardCharsets.UTF_8));
                client.delete(sessions.znodes().low(), -1);
            });
            TreeRecovery recovery = session.recovery();
            recovery.read();

            recovery.write(copy);

            until(() -> ControlState.of(session.view()).equals(copy));
            SecuredTree tree = session.secure(true);
            assertThat(tree.changed()).as("znodes with another access list").isZero();
            assertThat(tree.znodes()).isGreaterThan(10);
            sessions.by(stranger -> {
                for (String path :
                        List.of(sessions.znodes().low(), sessions.znodes().cycle(2))) {
                    assertThatThrownBy(() -> stranger.getData(path, false, null))
                            .as(path)
                            .isInstanceOf(KeeperException.NoAuthException.class);
                }
            });
        }
    }

    /** Creates an ended cycle, an open and reassigned cycle, and a replay request. */
    private static ControlState history(ZooKeeperSession session) {
        session.cluster()
                .announce(new QueueMember("q1", 11, "a:1", "h:2", 111, "d", Positions.NONE, Positions.NONE, false));
        CycleStore lead = session.conductorship("c1");
        until(() -> lead.epoch() > 0 && session.view().registered() == 1);
        assertThat(lead.begin(cycle(1, lead.epoch(), FIVE), assignment(0))).isTrue();
        String history = session.view().low().history();
        assertThat(history).isNotEmpty();
        LowMark low =
                new LowMark(1, 100, FIVE, new ConfigurationDigest("d"), new LowMark.Totals(5, 5, 0, 0, 0, 5), history);
        assertThat(lead.advance(low)).isTrue();
        assertThat(lead.begin(cycle(2, lead.epoch(), NINE), assignment(0))).isTrue();
        assertThat(lead.assign(2, assignment(1))).isTrue();
        session.requestReplay(
                new ReplayRequest("r1", "", List.of(new PastCycle(1, CycleTime.of(100), Positions.NONE, FIVE))));
        until(() -> session.view().low().equals(low)
                && session.view().newest() == 2
                && session.view().cycles().get(2L).assignment().version() == 1
                && session.view().replays().isPending());
        return ControlState.of(session.view());
    }

    private static Cycle cycle(long number, long epoch, Positions cut) {
        return new Cycle(number, epoch, number * 100, cut, List.of(11L), List.of(21L));
    }

    private static Assignment assignment(int version) {
        return new Assignment(version, new ConfigurationDigest("d"), List.of(11L), List.of(21L));
    }
}
