package io.chimera.node.cluster;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.config.CoordinatorConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** ZooKeeper connection of a command. Sends requests and reads the cluster view without being a member. One thread. */
public final class ClusterLink implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final long LOOK_MS = 20;

    private final ZooKeeperSession session;
    private final AtomicReference<Throwable> error = new AtomicReference<>();

    private ClusterLink(CoordinatorConfig config, String name) {
        session = new ZooKeeperSession(
                ClusterSettings.of(config),
                name,
                new SystemClock(),
                new Counters<>(ClusterCounter.class),
                cause -> error.compareAndSet(null, cause));
    }

    /** Returns the ZooKeeper settings of a cluster. */
    public static ZooKeeperSettings settings(CoordinatorConfig config) {
        return ClusterSettings.of(config);
    }

    /**
     * Connects and waits for the first cluster view.
     *
     * @param name part of the thread names
     * @throws ChimeraException when ZooKeeper is unreachable
     */
    public static ClusterLink open(CoordinatorConfig config, String name) throws InterruptedException {
        ClusterLink link = new ClusterLink(config, name);
        return link.opened(ClusterView::connected);
    }

    /** Connects and waits for the session only. For a cluster with a damaged ZooKeeper tree. */
    public static ClusterLink openDamaged(CoordinatorConfig config, String name) throws InterruptedException {
        ClusterLink link = new ClusterLink(config, name);
        return link.opened(view -> link.session.isLive());
    }

    private ClusterLink opened(Predicate<ClusterView> seen) throws InterruptedException {
        ClusterLink link = this;
        try {
            link.await(seen);
            return link;
        } catch (ChimeraException | InterruptedException e) {
            link.close();
            throw e;
        }
    }

    /** Waits for a view that fulfils a condition. */
    public void await(Predicate<ClusterView> wanted) throws InterruptedException {
        long untilNs = System.nanoTime() + PATIENCE.toNanos();
        while (!wanted.test(session.view())) {
            if (error.get() instanceof ChimeraException fatal) {
                throw fatal;
            }
            if (System.nanoTime() - untilNs >= 0) {
                throw new ChimeraException(
                        Category.ERROR,
                        "The cluster cannot be read from ZooKeeper. "
                                + session.problem().orElse("")
                                + " Check coordinator.connect of the configuration.");
            }
            Thread.sleep(LOOK_MS);
        }
    }

    /** Returns the newest view. */
    public ClusterView view() {
        return session.view();
    }

    /** Returns the ZooKeeper session. */
    public ZooKeeperSession session() {
        return session;
    }

    @Override
    public void close() {
        session.close();
    }
}
