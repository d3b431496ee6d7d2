package io.chimera.coordinator.zookeeper;

import static io.chimera.coordinator.zookeeper.TestSessions.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests trouble around a connection to a real server: foreign znodes, other versions, a missing server. */
final class ZooKeeperSessionIT {
    private static final AtomicInteger CLUSTERS = new AtomicInteger();
    private static TestingServer server;

    private final TestSessions sessions = new TestSessions(server.getConnectString(), "s" + CLUSTERS.incrementAndGet());

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
    void refusesAClusterOfAnotherProtocol() {
        ZooKeeperSession first = connected();
        sessions.by(client -> client.setData(sessions.znodes().version(), json("{\"protocol\": 3}"), -1));

        ZooKeeperSession second = sessions.open();

        until(() -> !sessions.errors().isEmpty());
        assertThat(sessions.errors().poll()).isInstanceOfSatisfying(ChimeraException.class, error -> {
            assertThat(error.category()).isEqualTo(ChimeraException.Category.FATAL);
            assertThat(error).hasMessageContaining("says protocol 3, this release speaks protocol 2");
        });
        assertThat(second.problem()).hasValueSatisfying(text -> assertThat(text).contains("protocol 3"));
        assertThat(second.view().connected()).isFalse();
        assertThat(first.view().connected()).isTrue();
    }

    @Test
    void raisesTheProtocolForASecondJournalGroup() throws Exception {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue(cut(5)));
        until(() -> session.view().queues().size() == 1);
        assertThat(protocol()).isEqualTo(1);

        ZooKeeperSession other = connected();
        QueueMember east = new QueueMember("q2", 12, "a:1", "h:2", 112, "d", Positions.NONE, cut(5), false)
                .in(new JournalGroup("east"));
        other.cluster().announce(east);
        until(() -> session.view().queues().size() == 2);
        assertThat(protocol()).isEqualTo(2);
        assertThat(session.view().roster().groups()).containsEntry("q2", new JournalGroup("east"));

        other.cluster().close();
        ZooKeeperSession moved = connected();
        moved.cluster().announce(new QueueMember("q2", 13, "a:1", "h:2", 113, "d", Positions.NONE, cut(5), false));
        until(() -> moved.problem()
                .filter(text -> text.contains("registered in the journal group"))
                .isPresent());
    }

    private int protocol() throws Exception {
        AtomicInteger protocol = new AtomicInteger();
        sessions.by(client -> protocol.set(
                ZnodeCodec.protocol(client.getData(sessions.znodes().version(), false, null))));
        return protocol.get();
    }

    @Test
    void passesOverWhatItCannotRead() {
        ZooKeeperSession session = connected();
        CycleStore lead = session.conductorship("c1"); // only a coordinator watches all znodes
        Znodes znodes = sessions.znodes();
        sessions.by(client -> {
            create(client, znodes.folder("queues") + "/ab", "{\"id\": 7}");
            create(client, znodes.folder("processors") + "/cd", "not JSON");
            create(client, znodes.folder("group") + "/q9", "");
            create(client, znodes.cycle(1), "{}");
            create(client, znodes.folder("cycles") + "/x", "{}");
            create(client, znodes.assignment(1), "[]");
            create(client, znodes.folder("stray"), "");
            client.setData(znodes.low(), json("nonsense"), -1);
        });
        session.cluster().announce(processor("p1", 21));

        until(() -> session.view().processor(21).isPresent() && session.view().registered() == 1);
        // The coordinator reads the tree once more when it begins to watch all of it, before or after the changes.
        until(() -> sessions.counters().get(ClusterCounter.ZNODES_MALFORMED) >= 7);
        assertThat(session.view().queues()).isEmpty();
        assertThat(session.view().cycles()).isEmpty();
        assertThat(session.view().low().cycle()).isZero();
        assertThat(session.view().low().cut()).isEqualTo(Positions.NONE);

        until(() -> lead.epoch() > 0);
        assertThat(lead.begin(cycle(lead, 1), assignment(0)))
                .as("with a low-water mark that nobody can read")
                .isFalse();
    }

    @Test
    void everyGroupCountsANodeWithAnUnreadableRegistration() {
        ZooKeeperSession session = connected();
        Znodes znodes = sessions.znodes();
        JournalGroup east = new JournalGroup("east");
        sessions.by(client -> {
            client.create(znodes.group("q1"), ZnodeCodec.registered(east), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            create(client, znodes.group("q2"), "{\"registered\": true, \"group\": \"No Group\"}");
        });

        until(() -> session.view().registered() == 2);
        assertThat(session.view().roster().unknown()).containsExactly("q2");
        assertThat(session.view().in(east).registered()).isEqualTo(2);

        sessions.by(client -> client.setData(znodes.group("q2"), ZnodeCodec.registered(east), -1));
        until(() -> session.view().roster().unknown().isEmpty());
        assertThat(session.view().in(east).registered()).isEqualTo(2);
    }

    @Test
    void showsACycleOnlyWithItsAssignment() {
        ZooKeeperSession session = connected();
        Znodes znodes = sessions.znodes();
        Cycle cycle = new Cycle(1, 1, 10, cut(5), List.of(11L), List.of(21L));
        sessions.by(client -> {
            create(client, znodes.cycle(1), new String(ZnodeCodec.encode(cycle), StandardCharsets.UTF_8));
            create(client, znodes.group("marker"), "");
        });
        until(() -> session.view().registered() == 1);
        assertThat(session.view().cycles()).isEmpty();

        sessions.by(client -> create(client, znodes.assignment(1), "{\"owners\": [\"b\"], \"processors\": [\"15\"]}"));
        until(() -> session.view().cycles().containsKey(1L));
        assertThat(session.view().cycles().get(1L).assignment())
                .isEqualTo(new Assignment(0, List.of(11L), List.of(21L)));
    }

    @Test
    void saysWhoHoldsItsId() {
        ZooKeeperSession first = connected();
        ZooKeeperSession second = connected();
        first.cluster().announce(processor("p1", 0xabc));
        until(() -> second.view().processors().size() == 1);
        second.cluster().announce(processor("p1", 0xdef));

        until(() -> second.problem().isPresent());
        assertThat(second.problem().orElseThrow()).contains("session abc", "processor node p1", "node.id");
        assertThat(first.problem()).isEmpty();
        first.cluster().close();
        until(() -> second.view().processor(0xdef).isPresent());
        until(() -> second.problem().isEmpty());
    }

    @Test
    void takesOverWhatItLeftBehindInAnEarlierSession() {
        Znodes znodes = sessions.znodes();
        ZooKeeperSession session = connected();
        ZooKeeper[] earlier = new ZooKeeper[1];
        sessions.by(client -> {
            earlier[0] = new ZooKeeper(server.getConnectString(), 6_000, event -> {});
            until(() -> earlier[0].getState().isConnected());
            earlier[0].create(
                    znodes.holder("processor", "p1"), ZnodeCodec.holder(21), Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            earlier[0].create(
                    znodes.processor(21),
                    ZnodeCodec.encode(processor("p1", 21)),
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.EPHEMERAL);
        });
        session.cluster().announce(new ProcessorMember("p1", 21, "a:1", "h:2", "new", false));

        until(() -> session.view()
                .processor(21)
                .map(ProcessorMember::digest)
                .filter(new ConfigurationDigest("new")::equals)
                .isPresent());
        sessions.by(client -> earlier[0].close());
        session.cluster().announce(processor("p1", 21));
        until(() -> session.view()
                .processor(21)
                .map(ProcessorMember::digest)
                .filter(new ConfigurationDigest("d")::equals)
                .isPresent());
        assertThat(session.problem()).isEmpty();
    }

    @Test
    void announcesItselfAgainWhenSomebodyDeletedItsZnodes() {
        ZooKeeperSession session = connected();
        session.cluster().announce(processor("p1", 21));
        until(() -> session.view().processor(21).isPresent());
        long written = sessions.counters().get(ClusterCounter.ANNOUNCEMENTS);

        sessions.by(client -> {
            client.delete(sessions.znodes().holder("processor", "p1"), -1);
            client.delete(sessions.znodes().processor(21), -1);
        });

        until(() -> sessions.counters().get(ClusterCounter.ANNOUNCEMENTS) > written);
        until(() -> session.view().processor(21).isPresent());
    }

    @Test
    void takesAWriteWhoseReplyGotLostForDone() {
        ZooKeeperSession session = connected();
        CycleStore lead = session.conductorship("c1");
        until(() -> lead.epoch() > 0);
        Cycle cycle = cycle(lead, 1);
        assertThat(lead.begin(cycle, assignment(0))).isTrue();
        assertThat(lead.begin(cycle, assignment(0))).as("the very same again").isTrue();
        assertThat(lead.assign(1, assignment(1))).isTrue();
        assertThat(lead.assign(1, assignment(1))).isTrue();
        assertThat(lead.epoch()).as("its own writes do not overtake it").isEqualTo(cycle.epoch());
    }

    @Test
    void doesNotAnnounceWhatIsTooLarge() {
        ZooKeeperSession session = connected();
        session.cluster().announce(queue(Positions.NONE));
        until(() -> session.view().queues().size() == 1);
        Positions.Builder streams = Positions.builder();
        for (long stream = 1; stream <= 30_000; stream++) {
            streams.put(-stream, stream);
        }

        session.cluster().announce(queue(streams.build()));
        session.cluster().announce(processor("p1", 21));

        until(() -> session.view().processors().size() == 1);
        assertThat(session.view().queues().get(0).positions()).isEqualTo(Positions.NONE);
    }

    @Test
    void keepsItsClusterBelowTheChrootThatItWasGiven() {
        ZooKeeperSettings settings = new ZooKeeperSettings(
                server.getConnectString() + "/teams/blue", "/chimera", "x", Duration.ofSeconds(6));
        try (ZooKeeperSession session = new ZooKeeperSession(
                settings, "n", new SystemClock(), new Counters<>(ClusterCounter.class), sessions.errors()::add)) {
            until(() -> session.view().connected());
        }
        sessions.by(client -> assertThat(client.exists("/teams/blue/chimera/x/version", false))
                .isNotNull());
    }

    @Test
    void theHolderOfAnIdHearsOfAnotherProcessThatClaimsIt() {
        ZooKeeperSession holder = connected();
        holder.cluster().announce(processor("p1", 21));
        until(() -> holder.view().processor(21).isPresent());
        ZooKeeperSession newcomer = connected();
        newcomer.cluster().announce(processor("p1", 22));

        until(() -> sessions.counters().get(ClusterCounter.IDS_CLAIMED) == 1);
        assertThat(newcomer.problem()).get().asString().contains("node.id");
        until(() -> !holder.warnings().isEmpty());
        assertThat(holder.warnings()).singleElement().asString().contains("p1", ZnodeCodec.hex(22));
        assertThat(newcomer.warnings()).isEmpty();
        assertThat(sessions.counters().get(ClusterCounter.IDS_REFUSED)).isEqualTo(1);
        sessions.by(client -> assertThat(
                        ZnodeCodec.claim(client.getData(sessions.znodes().holder("processor", "p1"), false, null)))
                .contains("session=" + ZnodeCodec.hex(22)));
        assertThat(holder.view().processor(21)).isPresent();

        holder.close();

        until(() -> newcomer.view().processor(22).isPresent());
        assertThat(newcomer.problem()).isEmpty();
    }

    @Test
    void aJournalGroupWaitsForProcessesOfEarlierReleases() throws Exception {
        Znodes znodes = sessions.znodes();
        ZooKeeperSession session = connected();
        ZooKeeper[] earlier = new ZooKeeper[1];
        sessions.by(client -> {
            earlier[0] = new ZooKeeper(server.getConnectString(), 6_000, event -> {});
            until(() -> earlier[0].getState().isConnected());
            earlier[0].create(
                    znodes.holder("processor", "p1"),
                    "{\"session\":\"15\"}".getBytes(UTF_8),
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.EPHEMERAL);
            earlier[0].create(
                    znodes.conductor() + "/_c_0-latch-0000000000",
                    "c0".getBytes(UTF_8),
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.EPHEMERAL);
        });

        session.cluster().announce(queue(Positions.NONE).in(new JournalGroup("east")));

        until(() -> session.problem().orElse("").contains("processor-p1"));
        assertThat(session.problem().orElseThrow()).contains("coordinator-c0", "queue.group");
        assertThat(session.view().queues()).isEmpty();
        assertThat(protocol()).isEqualTo(ZnodeCodec.PROTOCOL_OF_ONE_GROUP);

        sessions.by(client -> earlier[0].close());

        until(() -> session.view().queues().size() == 1);
        assertThat(protocol()).isEqualTo(ZnodeCodec.PROTOCOL);
        assertThat(session.problem()).isEmpty();
    }

    @Test
    void waitsForAServerAndSaysSo() throws Exception {
        try (TestingServer later = new TestingServer()) {
            later.stop();
            ZooKeeperSettings settings =
                    new ZooKeeperSettings(later.getConnectString(), "/chimera", "x", Duration.ofSeconds(6));
            try (ZooKeeperSession session = new ZooKeeperSession(
                    settings, "n", new SystemClock(), new Counters<>(ClusterCounter.class), sessions.errors()::add)) {
                session.cluster().announce(processor("p1", 21));
                until(() -> session.problem().orElse("").contains("Connection refused"));
                assertThat(session.problem().orElseThrow()).contains(later.getConnectString(), "coordinator.connect");
                assertThatThrownBy(() -> session.unregister(List.of("q1"), JournalLosses.NONE))
                        .hasMessageContaining("not connected");

                later.restart();

                until(() -> session.view().processor(21).isPresent());
                assertThat(session.problem()).isEmpty();
            }
        }
    }

    private ZooKeeperSession connected() {
        ZooKeeperSession session = sessions.open();
        until(() -> session.view().connected());
        return session;
    }

    private static QueueMember queue(Positions positions) {
        return new QueueMember("q1", 11, "a:1", "h:2", 111, "d", Positions.NONE, positions, false);
    }

    private static ProcessorMember processor(String id, long session) {
        return new ProcessorMember(id, session, "a:1", "h:2", "d", false);
    }

    private static Cycle cycle(CycleStore lead, long number) {
        return new Cycle(number, lead.epoch(), number * 10, cut(number * 5), List.of(11L), List.of(21L));
    }

    private static Assignment assignment(int version) {
        return new Assignment(version, List.of(11L + version), List.of(21L));
    }

    private static Positions cut(long position) {
        return Positions.of(7, position);
    }

    private static void create(ZooKeeper client, String path, String data) throws Exception {
        client.create(path, json(data), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    private static byte[] json(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
