package io.chimera.bench.scale.quota;

import static java.util.Objects.requireNonNull;

import io.chimera.bench.cgroup.CpuGroups;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.cluster.ClusterLayout;
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
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Runs clusters whose nodes or lanes have a limited share of a core each, one cluster at a time. */
public final class QuotaRun {
    /** Number of processors of the cluster that a processor joins, and of the cluster with a slow processor. */
    static final int NODES = 4;

    /** Series per processor while a processor joins; the counting store keeps several windows of each. */
    private static final int COUNTED_SERIES = 1_000;

    private static final int TAGS = 3;

    /**
     * Disables the C2 compiler in the limited tiers: on two cores twelve JVMs need minutes to compile, and under a
     * limit C2 takes a third of the quota. All clusters have the same compiler.
     */
    private static final String SIMPLE_COMPILER = "-XX:TieredStopAtLevel=1";

    /** Time until the conductor has measured the weights under limits: shares change after ten cycles. */
    private static final Duration WEIGHING = Duration.ofMinutes(2);

    /** The processor with half of the quota. */
    private static final String SLOW = "p1";

    private final ChimeraHome home;
    private final CpuGroups groups;
    private final QuotaPlan plan;
    private final QuotaEffort effort;
    private final Consumer<String> log;

    /**
     * Creates a run.
     *
     * @param groups empty control groups
     * @param plan what to measure
     * @param log receives a line per observation
     */
    public QuotaRun(ChimeraHome home, CpuGroups groups, QuotaPlan plan, Consumer<String> log) {
        this.home = home;
        this.groups = groups;
        this.plan = plan;
        effort = QuotaEffort.of(plan.isQuick());
        this.log = log;
    }

    /**
     * Measures all rounds.
     *
     * @param machine describes the machine at the end
     */
    public Report report(Supplier<Machine> machine) throws IOException, InterruptedException {
        List<Round> rounds = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            Map<Growth, SortedMap<Integer, Window>> clusters = new EnumMap<>(Growth.class);
            for (Growth growth : plan.growths()) {
                clusters.put(growth, grow(round, growth));
            }
            rounds.add(new Round(
                    clusters,
                    plan.growths().contains(Growth.PROCESSORS) ? Optional.of(change(round)) : Optional.empty()));
        }
        return QuotaReport.of(plan.percent(), rounds, machine.get());
    }

    private Round.Change change(int round) throws IOException, InterruptedException {
        Window slow = steady(
                Growth.PROCESSORS,
                Growth.PROCESSORS.plan(NODES).weighing("auto"),
                NODES,
                effort.settling().plus(WEIGHING),
                processor -> processor.equals(SLOW) ? plan.percent() / 2 : plan.percent());
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
        return new Round.Change(slow, rebalance);
    }

    /** Observes clusters of growing size. */
    private SortedMap<Integer, Window> grow(int round, Growth growth) throws IOException, InterruptedException {
        SortedMap<Integer, Window> windows = new TreeMap<>();
        double share = growth.percent().orElse(plan.percent());
        for (int parts : requireNonNull(effort.sizes().get(growth), "every part has sizes")) {
            Window window = steady(
                    growth, growth.plan(parts), parts, effort.settling(), node -> share * growth.partsPerNode(parts));
            windows.put(parts, window);
            log(round, parts + " " + growth.text(), window);
        }
        return windows;
    }

    private void log(int round, String what, Window window) {
        log.accept(String.format(
                Locale.ROOT,
                "round %d, %s: %,.0f points/s, %,.0f per part; limited nodes %,.0f ns per point, %.2f of the quota,"
                        + " throttled %.0f ms/s each; other nodes %,.0f ns per point, %.2f cores; skew %.3f;"
                        + " %.2f s per cycle; machine %.2f busy",
                round,
                what,
                window.pointsPerSecond(),
                window.pointsPerSecondAndPart(),
                window.limitedNs(),
                window.quotaUsed(),
                window.throttledMsPerSecond(),
                window.otherNs(),
                window.otherCores(),
                window.skew(),
                window.secondsPerCycle(),
                window.busy()));
    }

    /** Observes a cluster under full load. */
    private Window steady(
            Growth growth, ClusterPlan setup, int parts, Duration settling, ToDoubleFunction<String> percents)
            throws IOException, InterruptedException {
        Path folder = folder();
        Window window;
        try (LimitedCluster cluster = start(
                folder,
                setup,
                growth,
                growth.series(parts),
                growth.cyclePoints(parts),
                node -> List.of(SIMPLE_COMPILER))) {
            cluster.warmUp(effort.warmupPoints() * parts);
            cluster.limit(parts, percents);
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
                ClusterPlan.counting(ClusterLayout.of(1, NODES))
                        .cycling(Growth.CYCLES)
                        .with(NodeMemory.LARGE),
                Growth.PROCESSORS,
                series,
                0,
                node -> List.of(SIMPLE_COMPILER, "-D" + CountingStore.RESULTS + "=" + results.apply(node)))) {
            cluster.warmUp(effort.warmupPoints() * NODES);
            cluster.limit(NODES, processor -> plan.percent());
            Window before = cluster.observe(effort.settling(), effort.window());
            String joining = cluster.addProcessor();
            JoinWatch watch = new JoinWatch(joining, NODES + 1);
            cluster.load(watch);
            cluster.observe(effort.settling(), effort.window()); // the JVM of the new processor compiles
            cluster.limit(NODES + 1, processor -> plan.percent());
            Window after = cluster.observe(effort.settling(), effort.window());
            long sent = cluster.finish();
            SeriesCounts counts = SeriesCounts.of(results(cluster.processors(), results), series, sent);
            rebalance = new Rebalance(
                    watch.seconds(),
                    watch.cycles(),
                    after.pointsPerSecondAndPart() / before.pointsPerSecondAndPart(),
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
            Path folder,
            ClusterPlan setup,
            Growth growth,
            int series,
            long cyclePoints,
            Function<String, List<String>> nodeFlags)
            throws IOException, InterruptedException {
        return LimitedCluster.start(
                home, folder, setup, growth, groups, new SeriesText(series, TAGS).feed(), cyclePoints, nodeFlags);
    }
}
