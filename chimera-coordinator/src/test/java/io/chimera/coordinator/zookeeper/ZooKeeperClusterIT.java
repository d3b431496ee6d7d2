package io.chimera.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterContract;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.cluster.archive.KnownArchive;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the cluster contract on a real ZooKeeper server. */
final class ZooKeeperClusterIT extends ClusterContract {
    private static final AtomicInteger CLUSTERS = new AtomicInteger();
    private static TestingServer server;

    private final TestSessions sessions = new TestSessions(server.getConnectString(), "c" + CLUSTERS.incrementAndGet());
    private final Map<Object, ZooKeeperSession> owners = new HashMap<>();

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

    @Override
    protected Cluster join() {
        ZooKeeperSession session = sessions.open();
        Cluster cluster = session.cluster();
        owners.put(cluster, session);
        return cluster;
    }

    @Override
    protected CycleStore lead() {
        ZooKeeperSession session = sessions.open();
        CycleStore lead = session.conductorship("c" + owners.size());
        owners.put(lead, session);
        return lead;
    }

    @Override
    protected void expire(Cluster node) {
        sessions.expire(owners.get(node));
    }

    @Override
    protected void expire(CycleStore lead) {
        sessions.expire(owners.get(lead));
    }

    @Override
    protected void overtake(CycleStore lead) {
        sessions.by(client -> client.setData(sessions.znodes().epoch(), ZnodeCodec.conductor("rival"), -1));
    }

    @Override
    protected void requestReplay(ReplayRequest request) {
        connected().requestReplay(request);
    }

    @Override
    protected void withdrawReplay(String id) {
        assertThat(connected().withdrawReplay(id)).isTrue();
        assertThat(connected().withdrawReplay(id)).isFalse();
    }

    private ZooKeeperSession connected() {
        ZooKeeperSession session = owners.values().iterator().next();
        TestSessions.until(() -> session.view().connected());
        return session;
    }

    @Test
    void whatAnArchiveNodeHoldsIsKnownWhileItIsAwayAndOnlyItselfChangesIt() {
        Cluster first = join();
        Cluster other = join();
        first.announce(archive(1, ArchiveKind.POINTS));
        awaitArchives(other, List.of(archive(1, ArchiveKind.POINTS)), ArchiveKind.POINTS);
        join().announce(archive(2, ArchiveKind.PACKETS)); // same id
        TestSessions.until(() -> owners.values().stream()
                .anyMatch(session -> session.problem().orElse("").contains("archive node a")));
        awaitArchives(other, List.of(archive(1, ArchiveKind.POINTS)), ArchiveKind.POINTS);

        first.close(); // the second node takes over the id
        awaitArchives(other, List.of(archive(2, ArchiveKind.PACKETS)), ArchiveKind.PACKETS);
    }

    private static ArchiveMember archive(long session, ArchiveKind kind) {
        return new ArchiveMember("a", session, "a:1", new ArchiveMember.IndexFormat(1, 0), 0, Set.of(kind));
    }

    private static void awaitArchives(Cluster seenBy, List<ArchiveMember> live, ArchiveKind known) {
        Archives wanted = new Archives(live, List.of(new KnownArchive("a", Set.of(known))));
        TestSessions.until(() -> seenBy.view().archives().equals(wanted));
    }

    @Override
    protected void stop() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected void start() {
        try {
            server.restart();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
