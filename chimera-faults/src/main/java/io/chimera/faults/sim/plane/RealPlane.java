package io.chimera.faults.sim.plane;

import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.identity.LaneId;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.CoordinatorNode;
import io.chimera.coordinator.CoordinatorSettings;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * The light members of {@link PlaneRun} in real time, with one real ZooKeeper session for each process, and one real
 * coordinator with its embedded ZooKeeper server on the loopback interface. Counts writes by ZooKeeper's transaction
 * ids. All processes share this JVM, so hundreds of sessions are the limit.
 */
public final class RealPlane implements AutoCloseable {
    private static final int SESSIONS_MAX = 500;
    private static final long CYCLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long JOIN_NS_MAX = TimeUnit.SECONDS.toNanos(120);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int WARM_UP = 5;
    /** Transactions of a probe: begin and end of a session, creation and deletion of a znode. */
    private static final int PROBE_WRITES = 4;

    private static final int SESSION_TIMEOUT_MS = 20_000;

    private final PlaneSize size;
    private final SplittableRandom random = new SplittableRandom(1);
    private final RealTime time = new RealTime();
    private final LightCluster shared = new LightCluster();
    private final List<ZooKeeperSession> sessions = new ArrayList<>();
    private final CoordinatorNode coordinator;
    private final ZooKeeperSettings settings;

    /**
     * Starts a coordinator with its embedded server.
     *
     * @param folder data folder of the server
     */
    public RealPlane(PlaneSize size, Path folder) {
        if (size.nodes() > SESSIONS_MAX) {
            throw new IllegalArgumentException("--real runs at most " + SESSIONS_MAX + " nodes in one process");
        }
        this.size = size;
        ZooKeeperSettings any =
                new ZooKeeperSettings("127.0.0.1:0", "/chimera", "c", Duration.ofMillis(SESSION_TIMEOUT_MS));
        coordinator = new CoordinatorNode(
                new CoordinatorSettings(
                        "c1",
                        Optional.of(new CoordinatorSettings.Embedded(
                                folder, Endpoint.parse("127.0.0.1:0"), AccessControl.open(new SystemClock()))),
                        any,
                        PlaneRun.settings()),
                new SystemClock(),
                error -> {});
        settings = coordinator.zooKeeper();
    }

    /** Measures the given number of cycles. */
    public RealFigures measure(int cycles) throws IOException, InterruptedException, KeeperException {
        LightLayout layout = new LightLayout(size, random);
        for (int i = 0; i < size.queues(); i++) {
            ZooKeeperSession session = open("q" + i);
            layout.queues(i, time, shared, session::openCluster, time.nanoTime());
            session.onView(() -> shared.seen(session, session.view().newest(), time.nanoTime()));
        }
        for (int i = 0; i < size.processors(); i++) {
            ZooKeeperSession session = open(LaneId.of("p" + i, 0));
            List<LightProcessor> lanes = layout.processors(i, time, shared, session::openCluster, time.nanoTime());
            time.every(time.nanoTime(), LOOK_NS, () -> lanes.forEach(LightProcessor::look));
            session.onView(() -> shared.seen(session, session.view().newest(), time.nanoTime()));
        }
        int members = size.nodes() * size.lanes();
        await(() -> coordinator.view().queues().size()
                        + coordinator.view().processors().size()
                == members);
        pause(WARM_UP * CYCLE_NS);
        long firstCycle = coordinator.view().newest() + 1;
        long begunBefore = coordinator.counters().get(CoordinatorCounter.CYCLES_BEGUN);
        long zxidBefore = zxid();
        long cpuBefore = conductorCpuNs();
        long startNs = time.nanoTime();
        pause(cycles * CYCLE_NS);
        long elapsedNs = time.nanoTime() - startNs;
        long writes = zxid() - zxidBefore - PROBE_WRITES;
        long cpuNs = conductorCpuNs() - cpuBefore;
        int begun = (int) (coordinator.counters().get(CoordinatorCounter.CYCLES_BEGUN) - begunBefore);
        long spreadNs = 0;
        for (long cycle = firstCycle; cycle < firstCycle + begun - 1; cycle++) {
            spreadNs = Math.max(spreadNs, shared.spreadNs(cycle, sessions.size()));
        }
        return new RealFigures(size, begun, elapsedNs, writes, cpuNs, spreadNs);
    }

    private ZooKeeperSession open(String node) {
        ZooKeeperSession session = new ZooKeeperSession(
                settings, node, new SystemClock(), new Counters<>(ClusterCounter.class), error -> {});
        sessions.add(session);
        return session;
    }

    /** Returns the id of a new transaction. */
    private long zxid() throws IOException, InterruptedException, KeeperException {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(settings.connect(), SESSION_TIMEOUT_MS, event -> connected.countDown());
        try {
            connected.await(JOIN_NS_MAX, TimeUnit.NANOSECONDS);
            Stat stat = new Stat();
            String path = "/probe-" + time.nanoTime();
            client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL, stat);
            return stat.getCzxid();
        } finally {
            client.close();
        }
    }

    /** Returns the CPU time of the conductor's thread. */
    private static long conductorCpuNs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long totalNs = 0;
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().equals("conductor")) {
                totalNs += Math.max(0, threads.getThreadCpuTime(id));
            }
        }
        return totalNs;
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        long endNs = time.nanoTime() + JOIN_NS_MAX;
        while (!condition.getAsBoolean()) {
            if (time.nanoTime() - endNs > 0) {
                throw new IllegalStateException("Not all processes have joined; use fewer --nodes on this machine");
            }
            pause(LOOK_NS);
        }
    }

    private void pause(long ns) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        time.at(time.nanoTime() + ns, over::countDown);
        over.await();
    }

    @Override
    public void close() {
        time.close();
        CloseHelper.quietCloseAll(sessions);
        CloseHelper.quietClose(coordinator);
    }
}
