package io.chimera.bench.latency;

import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.NodeMemory;
import io.chimera.bench.load.BodySource;
import io.chimera.bench.load.HttpConnections;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.HdrHistogram.AbstractHistogram;

/** Starts a cluster per sync policy, finds its maximum rate, and measures at shares of this rate. */
final class LatencyRun {
    /** Loads in percent of the maximum rate. */
    static final List<Integer> LOADS = List.of(10, 50, 90);

    /** Points per request. */
    static final int BODY_POINTS = 100;

    private static final int PROCESSORS = 2;

    /**
     * Number of connections, and so of requests that wait for a sync: 900 requests of 100 points every 100 ms are
     * 900,000 points/s. An input accepts a thousand connections.
     */
    private static final int CONNECTIONS = 900;

    /** Number of distinct request bodies, sent in turn. */
    private static final int BODIES = 600;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final double PERCENT = 100;
    private static final double MS_PER_S = 1e3;
    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    private final ChimeraHome home;
    private final LatencyEffort effort;
    private final List<Integer> loads;
    private final LatencyResults results;
    private final Consumer<String> log;
    private final BodySource bodies;

    LatencyRun(
            ChimeraHome home, LatencyEffort effort, List<Integer> loads, LatencyResults results, Consumer<String> log) {
        this.home = home;
        this.effort = effort;
        this.loads = loads;
        this.results = results;
        this.log = log;
        PointShape shape = PointShape.TEN_FIELDS;
        bodies =
                BodySource.repeating(PointText.of(shape).lines(BODIES * BODY_POINTS), BODY_POINTS * shape.lineLength());
    }

    /** Measures with a sync policy. */
    void measure(Sync sync) throws IOException, InterruptedException {
        ClusterPlan plan = ClusterPlan.forgetting(1, PROCESSORS)
                .syncing(sync.setting())
                .with(NodeMemory.LARGE); // for the connections

        log.accept("sync " + sync.setting() + ": starting");
        Path folder = BenchFolder.emptied(folder());
        try (BenchCluster cluster = new BenchCluster(home, folder, plan, new FreePorts(BenchCluster.PORTS))) {
            cluster.start();
            try (HttpConnections connections = new HttpConnections(cluster.inputs(), CONNECTIONS)) {
                measure(sync, new Target(cluster, connections));
            }
        } catch (IOException e) {
            throw new IOException(e.getMessage() + " The logs are in " + folder + ".", e);
        }
        BenchFolder.delete(folder);
    }

    private void measure(Sync sync, Target target) throws IOException, InterruptedException {
        target.fill(effort.warmupSeconds());
        double maximum = target.fill(effort.maxSeconds());
        results.addMaximum(sync, maximum);
        log.accept(String.format(Locale.ROOT, "sync %s: at most %,.0f points/s", sync.setting(), maximum));
        if (sync.everyMs() > 0) {
            measureDisk(sync, maximum);
        }
        CycleTimes cycles = new CycleTimes();
        cycles.take(target.cluster.status());
        target.takePauses();
        for (int load : loads) {
            double rate = maximum * load / PERCENT;
            Acknowledged seen = new Acknowledged(sync, load, rate, target.keepRate(rate, effort.loadSeconds()));
            results.add(seen);
            results.addPauses(sync, load, target.takePauses());
            results.addCycles(load, cycles.take(target.cluster.status()));
            log.accept(String.format(
                    Locale.ROOT,
                    "sync %s: %d %%, %,.0f points/s: p50 %,d us, p99 %,d us, p99.9 %,d us",
                    sync.setting(),
                    load,
                    rate,
                    TimeUnit.NANOSECONDS.toMicros(seen.waits().getValueAtPercentile(50)),
                    TimeUnit.NANOSECONDS.toMicros(seen.waits().getValueAtPercentile(99)),
                    TimeUnit.NANOSECONDS.toMicros(seen.waits().getValueAtPercentile(99.9))));
        }
    }

    /** Measures the minimum time of a sync at half load, while the cluster is idle. */
    private void measureDisk(Sync sync, double maximum) throws IOException {
        double bytesPerSecond = maximum / 2 * PointShape.TEN_FIELDS.lineLength();
        int length = (int) (bytesPerSecond * sync.everyMs() / MS_PER_S);
        int syncs = (int) (effort.diskSeconds() * MS_PER_S / sync.everyMs());
        AbstractHistogram times = DiskSync.run(folder(), length, sync.everyMs(), syncs);
        results.addDisk(times);
        log.accept("sync of a plain file at half load: p50 "
                + TimeUnit.NANOSECONDS.toMicros(times.getValueAtPercentile(50)) + " us, p99 "
                + TimeUnit.NANOSECONDS.toMicros(times.getValueAtPercentile(99)) + " us");
    }

    private Path folder() {
        return home.folder().resolve("chimera-bench/target/latency");
    }

    /** A cluster, and the number of points sent to it. */
    private final class Target {
        private final BenchCluster cluster;
        private final HttpConnections connections;
        private long sent;

        Target(BenchCluster cluster, HttpConnections connections) {
            this.cluster = cluster;
            this.connections = connections;
        }

        /** Returns the milliseconds of each GC pause of the queue node since the last call. */
        List<Double> takePauses() throws IOException {
            return cluster.queuePauses().get(0).take();
        }

        /** Sends at full speed for some seconds; returns the points per second that reached the store. */
        double fill(int seconds) throws IOException, InterruptedException {
            AtomicLong requests = new AtomicLong();
            long startNs = System.nanoTime();
            long endNs = startNs + TimeUnit.SECONDS.toNanos(seconds);
            connections.run(PATIENCE, connection -> {
                while (System.nanoTime() - endNs < 0) {
                    connection.post(bodies.body(requests.getAndIncrement()));
                }
            });
            long answeredNs = System.nanoTime();
            long points = requests.get() * BODY_POINTS;
            sent += points;
            cluster.awaitAggregated(sent);
            // without a backlog, only the wait for the next cycle follows the last answer
            long throughNs = Math.max(answeredNs, System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
            return points * NS_PER_S / (throughNs - startNs);
        }

        /** Sends at a constant rate for some seconds. */
        AbstractHistogram keepRate(double pointsPerSecond, int seconds) throws IOException, InterruptedException {
            double periodNs = BODY_POINTS * NS_PER_S / pointsPerSecond;
            long requests = Math.max(1, Math.round(seconds * NS_PER_S / periodNs));
            AbstractHistogram waits = OpenLoop.run(connections, bodies, requests, periodNs);
            sent += requests * BODY_POINTS;
            cluster.awaitAggregated(sent);
            return waits;
        }
    }
}
