package io.chimera.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterContract;
import io.chimera.common.cluster.Conductorship;
import io.chimera.common.cluster.ReplayRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The contract, kept over a real ZooKeeper server. */
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
    protected Conductorship lead() {
        ZooKeeperSession session = sessions.open();
        Conductorship lead = session.conductorship("c" + owners.size());
        owners.put(lead, session);
        return lead;
    }

    @Override
    protected void expire(Cluster node) {
        sessions.expire(owners.get(node));
    }

    @Override
    protected void expire(Conductorship lead) {
        sessions.expire(owners.get(lead));
    }

    @Override
    protected void overtake(Conductorship lead) {
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
