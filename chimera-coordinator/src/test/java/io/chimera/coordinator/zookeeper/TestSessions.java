package io.chimera.coordinator.zookeeper;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.ZooKeeper;

/** Sessions of a test in a cluster, and methods to break sessions. */
final class TestSessions implements AutoCloseable {
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

    private final String connect;
    private final ZooKeeperSettings settings;
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final List<ZooKeeperSession> open = new ArrayList<>();
    private final Counters<ClusterCounter> counters = new Counters<>(ClusterCounter.class);

    TestSessions(String connect, String cluster) {
        this(connect, cluster, "");
    }

    TestSessions(String connect, String cluster, String secret) {
        this.connect = connect;
        settings = new ZooKeeperSettings(
                connect, ZooKeeperSettings.ROOT_DEFAULT, cluster, SESSION_TIMEOUT, secret, Optional.empty());
    }

    ZooKeeperSession open() {
        return open(new SystemClock());
    }

    ZooKeeperSession open(Clock clock) {
        ZooKeeperSession session = new ZooKeeperSession(settings, "n" + open.size(), clock, counters, errors::add);
        open.add(session);
        return session;
    }

    Znodes znodes() {
        return new Znodes(settings);
    }

    Counters<ClusterCounter> counters() {
        return counters;
    }

    /** Returns the errors passed to the error handlers. */
    Queue<Throwable> errors() {
        return errors;
    }

    /** Ends a session at the server, as the expiry after a process kill does. */
    void expire(ZooKeeperSession session) {
        until(() -> session.agent().live() != null);
        ZooKeeper victim = session.zooKeeper();
        try {
            ZooKeeper twin =
                    new ZooKeeper(connect, 6_000, event -> {}, victim.getSessionId(), victim.getSessionPasswd());
            until(() -> twin.getState().isConnected());
            twin.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Runs an action with a separate ZooKeeper client. */
    void by(Hand hand) {
        try {
            ZooKeeper client = new ZooKeeper(connect, 6_000, event -> {});
            try {
                until(() -> client.getState().isConnected());
                hand.work(client);
            } finally {
                client.close();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static void until(BooleanSupplier condition) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(condition::getAsBoolean);
    }

    @Override
    public void close() {
        open.forEach(ZooKeeperSession::close);
        assertThat(errors).isEmpty();
    }

    /** Manual action of an operator on the znodes. */
    interface Hand {
        void work(ZooKeeper client) throws Exception;
    }
}
