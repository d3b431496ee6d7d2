package io.chimera.bench.paper.disk;

import io.chimera.bench.archive.disk.DirectLoopDisk;
import io.chimera.bench.archive.disk.DiskSite;
import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.ClusterPlan.Cycles;
import io.chimera.bench.cluster.NodeMemory;
import io.chimera.bench.cluster.ProcessUsage;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Measures clusters whose only queue node has its journal on an ext4 file system with a limited write rate, on a loop
 * device past the page cache of its file. The journal itself uses the page cache of the file system, with a sync every
 * 100 ms before acknowledgements.
 */
public final class SaturatedDisk {
    /** Steps of the plots. */
    public static final int STEPS = 12;

    private static final String QUEUE_NODE = "q1";
    private static final String JOURNAL_BYTES = "chimera_journal_bytes_total";

    /** Points of the shortest cycle that needs more time. */
    private static final long LONG_CYCLE_POINTS = 3_000_000;

    private static final long MIDDLE_CYCLE_POINTS = 1_000_000;

    private static final long SAMPLE_MS = 100;
    private static final long STORED_PATIENCE_S = 90;

    private final DiskSite site;
    private final SaturationEffort effort;

    /** Creates the measurement. */
    public SaturatedDisk(DiskSite site, SaturationEffort effort) {
        this.site = site;
        this.effort = effort;
    }

    /**
     * Measures every cycle length.
     *
     * @param results receives each result
     * @throws IOException with the reason when this machine cannot limit a disk, or a cluster fails
     */
    public void measure(Consumer<Saturation> results) throws IOException, InterruptedException {
        if (!DirectLoopDisk.canCap()) {
            throw new IOException("root and blkio.throttle of control groups version 1 are required");
        }
        try (DirectLoopDisk disk = DirectLoopDisk.attach(site, effort.diskBytes())) {
            site.log().accept("Filling the disk once.");
            disk.touch(effort.diskBytes());
            for (long cyclePoints : effort.cycles()) {
                results.accept(measure(disk, cyclePoints));
            }
        }
    }

    private Saturation measure(DirectLoopDisk disk, long cyclePoints) throws IOException, InterruptedException {
        Path folder = BenchFolder.emptied(site.folder().resolve("cluster"));
        ClusterPlan plan = ClusterPlan.forgetting(1, 1)
                .with(NodeMemory.LARGE) // for bodies of 64 MiB
                .cycling(new Cycles(cycleEvery(cyclePoints), cyclePoints));
        disk.mountExt4(folder.resolve(QUEUE_NODE));
        try (BenchCluster cluster = new BenchCluster(
                site.home(), folder, plan, new FreePorts(BenchCluster.PORTS), ClusterInput.INFLUX_ONE_CLIENT)) {
            disk.cap(effort.diskBytesPerSecond());
            cluster.start();
            return observe(cluster, disk, cyclePoints);
        } finally {
            disk.cap(0);
            disk.unmount();
        }
    }

    /** Returns the limit of a cycle's time, longer than the cycle takes; the limit ends the last cycle. */
    private static String cycleEvery(long cyclePoints) {
        if (cyclePoints < MIDDLE_CYCLE_POINTS) {
            return "6s";
        }
        return cyclePoints < LONG_CYCLE_POINTS ? "15s" : "40s";
    }

    private Saturation observe(BenchCluster cluster, DirectLoopDisk disk, long cyclePoints)
            throws IOException, InterruptedException {
        SaturatedLoad load = new SaturatedLoad();
        int seconds = cyclePoints < LONG_CYCLE_POINTS ? effort.seconds() : 2 * effort.seconds();
        FutureTask<Void> sending = new FutureTask<>(() -> {
            load.send(cluster.inputs(), effort.warmupSeconds() + seconds);
            return null;
        });
        Thread thread = new Thread(sending, "saturated-load");
        thread.setDaemon(true);
        thread.start();
        TimeUnit.SECONDS.sleep(effort.warmupSeconds());
        long pid = cluster.pid(QUEUE_NODE);
        double cpu = ProcessUsage.cpuSeconds(List.of(pid));
        double journal = cluster.metrics(QUEUE_NODE).get(JOURNAL_BYTES);
        long written = disk.writtenBytes();
        AcceptedPoints seen = new AcceptedPoints();
        MemoryPeak peak = MemoryPeak.now(pid);
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - endNs < 0 && !load.isEnded()) {
            seen.add(System.nanoTime(), load.accepted(), load.refused());
            peak = peak.or(MemoryPeak.now(pid));
            Thread.sleep(SAMPLE_MS);
        }
        seen.add(System.nanoTime(), load.accepted(), load.refused());
        cpu = ProcessUsage.cpuSeconds(List.of(pid)) - cpu;
        journal = cluster.metrics(QUEUE_NODE).get(JOURNAL_BYTES) - journal;
        written = disk.writtenBytes() - written;
        await(sending);
        Saturation result = new Saturation(
                cyclePoints,
                effort.diskBytesPerSecond(),
                seen.points() / seen.seconds(),
                cpu / seen.seconds(),
                journal / seen.seconds(),
                written / seen.seconds(),
                seen.refused(),
                lost(cluster, load.accepted()),
                seen.rates(STEPS),
                seen.refusedRates(STEPS),
                seen.cycleSeconds(cyclePoints),
                peak);
        site.log()
                .accept(String.format(
                        Locale.ROOT,
                        "Cycles of %,d: %,.0f points/s, journal %.1f MB/s, disk %.1f MB/s, %,d answers 503, %,d broken connections, late to early %.2f.",
                        cyclePoints,
                        result.pointsPerSecond(),
                        result.journalBytesPerSecond() / 1e6,
                        result.diskBytesPerSecond() / 1e6,
                        result.refused(),
                        load.broken(),
                        result.lateToEarly()));
        return result;
    }

    private static void await(FutureTask<Void> sending) throws IOException, InterruptedException {
        try {
            sending.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        }
    }

    /**
     * Waits until all acknowledged points are in stored rows. Points of a refused request may be stored, too.
     *
     * @return number of acknowledged points without a row after the wait
     */
    private static long lost(BenchCluster cluster, long accepted) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(STORED_PATIENCE_S);
        long stored = cluster.totals().path("aggregated").asLong();
        while (stored < accepted && System.nanoTime() - deadlineNs < 0) {
            Thread.sleep(SAMPLE_MS);
            stored = cluster.totals().path("aggregated").asLong();
        }
        return Math.max(0, accepted - stored);
    }
}
