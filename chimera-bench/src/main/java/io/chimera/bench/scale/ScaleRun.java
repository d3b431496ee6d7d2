package io.chimera.bench.scale;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.NodeMemory;
import io.chimera.bench.load.BodySource;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Runs clusters and enters what points cost on them. Before each pass that counts comes one that does not. */
final class ScaleRun {
    private static final int PROCESSORS = 2;

    /** Tags of the points whose series grow in number. */
    private static final int SERIES_TAGS = 3;

    /** Series of the points whose tags grow in number. */
    private static final int TAGS_SERIES = 1_000;

    /** Different bodies of the points that nodes are added for; then they come again. */
    private static final int BODIES = 20;

    private final ChimeraHome home;
    private final Effort effort;
    private final ScaleResults results;
    private final Consumer<String> log;

    /** What is done with a cluster. */
    @FunctionalInterface
    private interface Step {
        void run(FedCluster cluster) throws IOException, InterruptedException;
    }

    ScaleRun(ChimeraHome home, Effort effort, ScaleResults results, Consumer<String> log) {
        this.home = home;
        this.effort = effort;
        this.results = results;
        this.log = log;
    }

    /** Adds processors to one queue node, and queue nodes to two processors. */
    void nodes() throws IOException, InterruptedException {
        PointShape shape = PointShape.TEN_FIELDS;
        BodySource points = BodySource.repeating(
                PointText.of(shape).lines(BODIES * FedCluster.BODY_POINTS),
                FedCluster.BODY_POINTS * shape.lineLength());
        for (int processors : effort.processors()) {
            with(ClusterPlan.forgetting(1, processors), cluster -> {
                Cost cost = measure(cluster, Axis.PROCESSORS, processors, points, effort.points());
                if (processors == PROCESSORS && effort.queueNodes().contains(1)) {
                    results.add(Axis.QUEUE_NODES, 1, cost);
                }
            });
        }
        for (int queueNodes : effort.queueNodes()) {
            if (queueNodes > 1) {
                with(
                        ClusterPlan.forgetting(queueNodes, PROCESSORS),
                        cluster -> measure(cluster, Axis.QUEUE_NODES, queueNodes, points, effort.points()));
            }
        }
    }

    /** Adds series that fall into few groups: what the path of a point costs, apart from rows. */
    void series() throws IOException, InterruptedException {
        ClusterPlan plan = ClusterPlan.forgetting(1, PROCESSORS)
                .with(NodeMemory.LARGE)
                .aggregating("aggregate: { by: [" + SeriesText.RACK + "] }");
        with(plan, cluster -> curve(cluster, Axis.SERIES, effort.series(), ScaleRun::ofSeries));
    }

    /** Adds tags to series, then series that are a group each. */
    void tagsAndGroups() throws IOException, InterruptedException {
        with(ClusterPlan.forgetting(1, PROCESSORS).with(NodeMemory.LARGE), cluster -> {
            curve(cluster, Axis.TAGS, effort.tags(), tags -> new SeriesText(TAGS_SERIES, tags, FedCluster.BODY_POINTS));
            curve(cluster, Axis.GROUPS, effort.groups(), ScaleRun::ofSeries);
        });
    }

    private static BodySource ofSeries(int series) {
        return new SeriesText(series, SERIES_TAGS, FedCluster.BODY_POINTS);
    }

    private void with(ClusterPlan plan, Step step) throws IOException, InterruptedException {
        Path folder = BenchFolder.emptied(home.folder().resolve("chimera-bench/target/scale"));
        try (FedCluster cluster = FedCluster.start(home, folder, plan)) {
            step.run(cluster);
        }
        BenchFolder.delete(folder); // of one that fails the logs stay
    }

    private void curve(FedCluster cluster, Axis axis, List<Integer> steps, IntFunction<BodySource> points)
            throws IOException, InterruptedException {
        for (int at : steps) {
            // every series comes in a pass, so that the one before has made them known
            int most = axis == Axis.TAGS ? effort.points() : Math.max(at, effort.points());
            measure(cluster, axis, at, points.apply(at), most);
        }
    }

    private Cost measure(FedCluster cluster, Axis axis, int at, BodySource source, long points)
            throws IOException, InterruptedException {
        cluster.pass(source, points);
        Cost cost = cluster.pass(source, points);
        results.add(axis, at, cost);
        log.accept(String.format(
                Locale.ROOT,
                "%s %,d: %,.0f points per CPU-s, %,.0f points/s, %,.0f ns per point",
                axis.figure(),
                at,
                cost.pointsPerCpuSecond(),
                cost.pointsPerSecond(),
                cost.nsPerPoint()));
        return cost;
    }
}
