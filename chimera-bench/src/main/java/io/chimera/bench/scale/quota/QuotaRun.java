package io.chimera.bench.scale.quota;

import io.chimera.bench.cgroup.CpuGroups;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.NodeMemory;
import io.chimera.bench.load.SeriesText;
import io.chimera.bench.peers.counting.CountingStore;
import io.chimera.bench.peers.job.ResultTable;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Runs clusters of processors with a limited share of a core each, one cluster at a time. */
public final class QuotaRun {
    /** Number of processors of the cluster that a processor joins, and of the cluster with a slow processor. */
    static final int NODES = 4;

    /**
     * Series, and so groups and rows, per processor: with fewer series, hash mod M divides them less evenly. In
     * proportion to the processors, so that each processor writes as many rows in a cluster of any size.
     */
    private static final int SERIES = 4_000;

    /** Series per processor while a processor joins; the counting store keeps several windows of each. */
    private static final int COUNTED_SERIES = 1_000;

    private static final int TAGS = 3;

    /**
     * Settings of the pipeline. With quantiles and distinct values, a point costs a processor so much that the queue
     * node and the sender can keep up with more processors.
     */
    private static final String PIPELINE = "delivery: at_least_once, aggregate: { functions: "
            + "[count, min, max, sum, mean, variance, p50, p99, distinct] }";

    /**
     * Disables the C2 compiler in processors: on two cores twelve JVMs need minutes to compile, and under a limit C2
     * takes a third of the quota. All clusters have the same compiler.
     */
    private static final String SIMPLE_COMPILER = "-XX:TieredStopAtLevel=1";

    /** Time until the conductor has measured the weights under limits: shares change after ten cycles of a second. */
    private static final Duration WEIGHING = Duration.ofSeconds(20);

    /** The processor with half of the quota. */
    private static final String SLOW = "p1";

    private final ChimeraHome home;
    private final CpuGroups groups;
    private final QuotaEffort effort;
    private final double percent;
    private final Consumer<String> log;

    /**
     * Creates a run.
     *
     * @param groups empty control groups
     * @param percent share of a core of each processor, in percent
     * @param log receives a line per observation
     */
    public QuotaRun(ChimeraHome home, CpuGroups groups, QuotaEffort effort, double percent, Consumer<String> log) {
        this.home = home;
        this.groups = groups;
        this.effort = effort;
        this.percent = percent;
        this.log = log;
    }

    /**
     * Measures all rounds.
     *
     * @param machine describes the machine at the end
     */
    public Report report(Supplier<Machine> machine) throws IOException, InterruptedException {
        List<Round> rounds = new ArrayList<>();
        for (int round = 1; round <= effort.rounds(); round++) {
            SortedMap<Integer, Window> clusters = new TreeMap<>();
            for (int processors : effort.processors()) {
                Window window = steady(ClusterPlan.forgetting(1, processors), effort.settling(), processor -> percent);
                clusters.put(processors, window);
                log(round, processors + " processors", window);
            }
            Window slow = steady(
                    ClusterPlan.forgetting(1, NODES).weighing("auto"),
                    effort.settling().plus(WEIGHING),
                    processor -> processor.equals(SLOW) ? percent / 2 : percent);
            log(round, NODES + " processors, one slow", slow);
            Rebalance rebalance = join();
            log.accept(String.format(
                    Locale.ROOT,
                    "round %d, processor joins %d: full share after %d cycles and %.1f s, rate per node × %.2f, %d"
                            + " lost, %d doubled",
                    round,
                    NODES,
                    rebalance.cycles(),
                    rebalance.seconds(),
                    rebalance.rate(),
                    rebalance.lost(),
                    rebalance.doubled()));
            rounds.add(new Round(clusters, slow, rebalance));
        }
        return QuotaReport.of(percent, rounds, machine.get());
    }

    private void log(int round, String what, Window window) {
        log.accept(String.format(
                Locale.ROOT,
                "round %d, %s: %,.0f points/s, %,.0f per node; processors %,.0f ns per point, %.2f of the quota,"
                        + " throttled %.0f ms/s each; queue node %,.0f ns per point, %.2f of a core; skew %.3f;"
                        + " machine %.2f busy",
                round,
                what,
                window.pointsPerSecond(),
                window.pointsPerSecondAndNode(),
                window.processorNs(),
                window.quotaUsed(),
                window.throttledMsPerSecond(),
                window.queueNs(),
                window.queueShare(),
                window.skew(),
                window.busy()));
    }

    /** Observes a cluster under full load. */
    private Window steady(ClusterPlan plan, Duration settling, ToDoubleFunction<String> percents)
            throws IOException, InterruptedException {
        int processors = plan.processors();
        Path folder = folder();
        Window window;
        try (LimitedCluster cluster =
                start(folder, plan.aggregating(PIPELINE), SERIES * processors, processor -> List.of(SIMPLE_COMPILER))) {
            cluster.warmUp(effort.warmupPoints() * processors);
            cluster.limit(percents);
            window = cluster.observe(settling, effort.window());
            cluster.finish();
        } catch (IOException e) {
            throw new IOException(e.getMessage() + " The logs are in " + folder + ".", e);
        }
        BenchFolder.delete(folder);
        return window;
    }

    /** Adds a processor under full load. It has no limit until its JVM is warm. */
    private Rebalance join() throws IOException, InterruptedException {
        Path folder = folder();
        int series = COUNTED_SERIES * (NODES + 1);
        Function<String, Path> results = processor -> folder.resolve(processor + ".results");
        Rebalance rebalance;
        try (LimitedCluster cluster = start(
                folder,
                ClusterPlan.counting(1, NODES),
                series,
                processor -> List.of(SIMPLE_COMPILER, "-D" + CountingStore.RESULTS + "=" + results.apply(processor)))) {
            cluster.warmUp(effort.warmupPoints() * NODES);
            cluster.limit(processor -> percent);
            Window before = cluster.observe(effort.settling(), effort.window());
            String joining = cluster.addProcessor();
            JoinWatch watch = new JoinWatch(joining, NODES + 1);
            cluster.load(watch);
            cluster.observe(effort.settling(), effort.window()); // the JVM of the new processor compiles
            cluster.limit(processor -> percent);
            Window after = cluster.observe(effort.settling(), effort.window());
            long sent = cluster.finish();
            SeriesCounts counts = SeriesCounts.of(results(cluster.processors(), results), series, sent);
            rebalance = new Rebalance(
                    watch.seconds(),
                    watch.cycles(),
                    after.pointsPerSecondAndNode() / before.pointsPerSecondAndNode(),
                    counts.lost(),
                    counts.doubled());
        } catch (IOException e) {
            throw new IOException(e.getMessage() + " The logs are in " + folder + ".", e);
        }
        BenchFolder.delete(folder);
        return rebalance;
    }

    private static ResultTable results(List<String> processors, Function<String, Path> files) throws IOException {
        ResultTable stored = new ResultTable();
        for (String processor : processors) {
            stored.add(ResultTable.read(files.apply(processor)));
        }
        return stored;
    }

    private Path folder() throws IOException {
        return BenchFolder.emptied(home.folder().resolve("chimera-bench/target/scale-quota"));
    }

    private LimitedCluster start(
            Path folder, ClusterPlan plan, int series, Function<String, List<String>> processorFlags)
            throws IOException, InterruptedException {
        return LimitedCluster.start(
                home, folder, plan.with(NodeMemory.LARGE), groups, new SeriesText(series, TAGS).feed(), processorFlags);
    }
}
