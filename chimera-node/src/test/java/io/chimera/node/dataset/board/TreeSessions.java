package io.chimera.node.dataset.board;

import static io.chimera.common.agent.Waits.await;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.SharedFolder;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;

/** Sessions of one test with a real ZooKeeper server, in a cluster of their own. */
final class TreeSessions implements AutoCloseable {
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    private final TestingServer server;
    private final String cluster = "b" + CLUSTERS.incrementAndGet();
    private final List<ZooKeeperSession> sessions = new ArrayList<>();

    TreeSessions(TestingServer server) {
        this.server = server;
    }

    /** Opens a further session, and returns the folder of the jobs. */
    SharedFolder open() {
        ZooKeeperSession session = new ZooKeeperSession(
                new ZooKeeperSettings(
                        server.getConnectString(),
                        ZooKeeperSettings.ROOT_DEFAULT,
                        cluster,
                        Duration.ofSeconds(6),
                        "",
                        Optional.empty()),
                "n" + sessions.size(),
                new SystemClock(),
                new Counters<>(ClusterCounter.class),
                error -> {});
        sessions.add(session);
        await().until(() -> session.view().connected());
        return session.datasets();
    }

    /** Ends a session, counted from 0 in the order of their begin. */
    void end(int number) {
        sessions.get(number).close();
    }

    @Override
    public void close() {
        sessions.forEach(ZooKeeperSession::close);
    }
}
