package io.chimera.bench.scale.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.bench.cgroup.CpuGroup;
import io.chimera.bench.cgroup.CpuGroups;
import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.ClusterSecurity;
import io.chimera.bench.cluster.ProcessUsage;
import io.chimera.bench.load.BoundedLoad;
import io.chimera.bench.load.Feed;
import io.chimera.bench.report.CpuTimes;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Cluster under full load, with one control group per limited node. All other processes have no limit. One thread.
 */
final class LimitedCluster implements AutoCloseable {
    /** Requests that wait for a sync every 100 ms: 48 of 3,000 points are 1.4 million points/s. */
    private static final int CONNECTIONS = 48;

    /** Poll interval: each poll costs the coordinator a millisecond. */
    private static final long POLL_MS = 100;

    /**
     * Backlog during the warm-up, in seconds of the rate: more than the time from a point to its commit at full speed,
     * and stored soon.
     */
    private static final double WARMUP_BACKLOG_S = 2 * Growth.CYCLE.toSeconds();

    /** Backlog under limits: three open cycles and one that collects points, with a reserve for uneven cycles. */
    private static final double BACKLOG_S = 10 * Growth.CYCLE.toSeconds();

    /** Smallest backlog per percent of a core: more points than a node stores in a cycle that ends by time. */
    private static final long BACKLOG_MIN = 40_000;

    /**
     * Smallest backlog in cycles that end by points. With fewer points than a cycle, each cycle would wait for its
     * longest time; three cycles are open and one collects points.
     */
    private static final int BACKLOG_CYCLES = 6;

    private static final long STANDSTILL_NS = TimeUnit.MINUTES.toNanos(2);
    private static final int PERCENT = 100;

    private final BenchCluster cluster;
    private final Growth growth;
    private final CpuGroups groups;
    private final Feed feed;
    private final long cyclePoints;
    private final Map<String, CpuGroup> limited = new LinkedHashMap<>();
    private final Map<String, Double> percents = new LinkedHashMap<>();
    private int parts;
    private BoundedLoad load;

    /** Decides after each poll whether to go on. */
    @FunctionalInterface
    interface Polling {
        /**
         * Looks at the coordinator's status.
         *
         * @param ns time of the poll
         * @return whether to poll again
         */
        boolean again(long ns, JsonNode status) throws IOException, InterruptedException;
    }

    private LimitedCluster(BenchCluster cluster, Growth growth, CpuGroups groups, Feed feed, long cyclePoints) {
        this.cluster = cluster;
        this.growth = growth;
        this.groups = groups;
        this.feed = feed;
        this.cyclePoints = cyclePoints;
    }

    /**
     * Starts a cluster without limits.
     *
     * @param folder folder for journals and logs
     * @param growth decides which nodes are limited
     * @param groups empty control groups
     * @param feed points of the load
     * @param cyclePoints points that end a cycle; 0 if cycles end by time
     * @param nodeFlags further JVM flags of each queue node and processor, by id
     */
    static LimitedCluster start(
            ChimeraHome home,
            Path folder,
            ClusterPlan plan,
            Growth growth,
            CpuGroups groups,
            Feed feed,
            long cyclePoints,
            Function<String, List<String>> nodeFlags)
            throws IOException, InterruptedException {
        BenchCluster nodes = new BenchCluster(
                home, folder, plan, new FreePorts(BenchCluster.PORTS), ClusterInput.INFLUX, ClusterSecurity.none());
        LimitedCluster cluster = new LimitedCluster(nodes, growth, groups, feed, cyclePoints);
        try {
            nodes.start(nodeFlags);
            for (String id : growth.limited(nodes)) {
                cluster.join(id);
            }
            cluster.load = new BoundedLoad(nodes.inputs(), CONNECTIONS, feed);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void join(String id) throws IOException {
        CpuGroup group = groups.create(id);
        group.add(cluster.pid(id));
        limited.put(id, group);
    }

    /** Returns the number of limited parts; after {@link #limit}. */
    int parts() {
        return parts;
    }

    /** Returns the ids of the processors. */
    List<String> processors() {
        return cluster.processors();
    }

    /**
     * Stores points at full speed without limits, until the JVMs of the limited nodes have compiled their code, then
     * waits until nothing is left. Compilation under a limit would take minutes, and most of the quota.
     *
     * @param points minimum number of points
     */
    void warmUp(long points) throws IOException, InterruptedException {
        WarmUp warmUp = new WarmUp(cluster.pids(growth.limited(cluster)), stored() + points);
        long min = Math.max((long) CONNECTIONS * feed.bodyPoints(), BACKLOG_CYCLES * cyclePoints);
        drive(new Backlog(WARMUP_BACKLOG_S, min), warmUp);
        cluster.awaitAggregated(load.pause());
    }

    /**
     * Limits the nodes.
     *
     * @param number of parts in the limited nodes
     * @param percent share of one core in percent, by id
     */
    void limit(int number, ToDoubleFunction<String> percent) throws IOException {
        parts = number;
        for (Map.Entry<String, CpuGroup> node : limited.entrySet()) {
            double share = percent.applyAsDouble(node.getKey());
            node.getValue().limit(share);
            percents.put(node.getKey(), share);
        }
    }

    /** Keeps the cluster under full load until the polling ends. */
    void load(Polling polling) throws IOException, InterruptedException {
        long min = (long)
                (percents.values().stream().mapToDouble(Double::doubleValue).sum() * BACKLOG_MIN);
        drive(
                new Backlog(BACKLOG_S, Math.max(BACKLOG_CYCLES * cyclePoints, Math.max(feed.bodyPoints(), min))),
                polling);
    }

    private void drive(Backlog backlog, Polling polling) throws IOException, InterruptedException {
        JsonNode status = cluster.status();
        long ns = System.nanoTime();
        long stored = stored(status);
        long lastNs = ns;
        while (polling.again(ns, status)) {
            if (stored(status) > stored) {
                stored = stored(status);
                lastNs = ns;
            } else if (ns - lastNs > STANDSTILL_NS) {
                throw new IOException(
                        "No cycle was stored for " + TimeUnit.NANOSECONDS.toSeconds(STANDSTILL_NS) + " s.");
            }
            load.permit(backlog.permitted(ns, stored));
            Thread.sleep(POLL_MS);
            status = cluster.status();
            ns = System.nanoTime();
        }
    }

    /**
     * Observes the cluster under full load.
     *
     * @param settling time before the observation
     * @param duration time of the observation
     */
    Window observe(Duration settling, Duration duration) throws IOException, InterruptedException {
        WindowWatch watch = new WindowWatch(this, settling.toNanos(), duration.toNanos());
        load(watch);
        return watch.window();
    }

    /** Returns the points stored since the start. */
    long stored() throws InterruptedException {
        return cluster.totals().path("points").asLong();
    }

    static long stored(JsonNode status) {
        return status.path("totals").path("points").asLong();
    }

    /** Reads the kernel's counters. */
    Usage usage() throws IOException {
        double throttled = 0;
        for (CpuGroup group : limited.values()) {
            throttled += group.stat().throttledNs();
        }
        return new Usage(
                ProcessUsage.cpuSeconds(cluster.pids(growth.limited(cluster))),
                ProcessUsage.cpuSeconds(cluster.pids(growth.others(cluster))),
                throttled / TimeUnit.SECONDS.toNanos(1),
                CpuTimes.read());
    }

    /** Returns the processor time per second that the limits permit, in cores. */
    double quotaCores() {
        return percents.values().stream().mapToDouble(Double::doubleValue).sum() / PERCENT;
    }

    /**
     * Processor time since the start of the processes, and of the machine.
     *
     * @param limitedSeconds of the limited nodes
     * @param otherSeconds of the nodes of the other tier
     * @param throttledSeconds wait of the limited nodes for quota
     * @param machine of all cores
     */
    record Usage(double limitedSeconds, double otherSeconds, double throttledSeconds, CpuTimes machine) {}

    /** Starts a further processor without a limit; returns its id at once. */
    String addProcessor() throws IOException {
        String id = cluster.addProcessor();
        join(id);
        return id;
    }

    /**
     * Removes all limits, sends no more, waits until all points are stored, and stops all nodes, so that their stores
     * write results.
     *
     * @return points accepted since the start
     * @throws IOException when the coordinator does not account for exactly these points
     */
    long finish() throws IOException, InterruptedException {
        lift();
        load.pause();
        long sent = load.finish();
        cluster.awaitAggregated(sent);
        limited.clear();
        cluster.close();
        return sent;
    }

    private void lift() throws IOException {
        for (CpuGroup group : limited.values()) {
            group.lift();
        }
        percents.clear();
    }

    @Override
    public void close() throws IOException {
        try {
            lift();
            if (load != null) {
                load.close();
            }
        } finally {
            limited.clear();
            cluster.close();
            groups.removeAll();
        }
    }
}
