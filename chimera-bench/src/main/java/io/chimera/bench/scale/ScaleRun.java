package io.chimera.bench.scale;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.NodeMemory;
import io.chimera.bench.load.BodySource;
import io.chimera.bench.load.Feed;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.bench.load.SeriesText;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Runs clusters and records the cost of points. */
final class ScaleRun {
    private static final int PROCESSORS = 2;

    /** Uncounted passes of each cluster. */
    private static final int WARMUPS = 2;

    /** Number of tags while the number of series varies. */
    private static final int SERIES_TAGS = 3;

    /** Number of series while the number of tags varies. */
    private static final int TAGS_SERIES = 1_000;

    /** Points per request, one megabyte. */
    private static final int BODY_POINTS = 3_000;

    /** Number of distinct bodies while the number of nodes varies, sent in turn. */
    private static final int BODIES = 20;

    private final ChimeraHome home;
    private final ScaleEffort effort;
    private final ScaleResults results;
    private final Consumer<String> log;

    /** Measurement with a cluster. */
    @FunctionalInterface
    private interface Step {
        void run(LoadedCluster cluster) throws IOException, InterruptedException;
    }

    ScaleRun(ChimeraHome home, ScaleEffort effort, ScaleResults results, Consumer<String> log) {
        this.home = home;
        this.effort = effort;
        this.results = results;
        this.log = log;
    }

    /**
     * Varies the processors with one queue node, and the queue nodes with two processors; on the cluster with two
     * processors also varies tags and groups.
     */
    void nodes() throws IOException, InterruptedException {
        PointShape shape = PointShape.TEN_FIELDS;
        byte[] text = PointText.of(shape).lines(BODIES * BODY_POINTS);
        Feed points = new Feed(BodySource.repeating(text, BODY_POINTS * shape.lineLength()), BODY_POINTS);
        for (int processors : effort.processors()) {
            with(ClusterPlan.forgetting(1, processors), points, cluster -> {
                ClusterCost cost = measure(cluster, Axis.PROCESSORS, processors, points, effort.bodies());
                if (processors == PROCESSORS) {
                    results.add(Axis.QUEUE_NODES, 1, cost);
                    curve(cluster, Axis.TAGS, effort.tags(), tags -> new SeriesText(TAGS_SERIES, tags));
                    curve(cluster, Axis.GROUPS, effort.groups(), series -> new SeriesText(series, SERIES_TAGS));
                }
            });
        }
        for (int queueNodes : effort.queueNodes()) {
            with(
                    ClusterPlan.forgetting(queueNodes, PROCESSORS),
                    points,
                    cluster -> measure(cluster, Axis.QUEUE_NODES, queueNodes, points, effort.bodies()));
        }
    }

    /** Varies the series in few groups: measures the path of a point without rows. */
    void series() throws IOException, InterruptedException {
        with(
                ClusterPlan.forgetting(1, PROCESSORS).aggregating("aggregate: { by: [" + SeriesText.RACK + "] }"),
                new SeriesText(TAGS_SERIES, SERIES_TAGS).feed(),
                cluster -> curve(cluster, Axis.SERIES, effort.series(), series -> new SeriesText(series, SERIES_TAGS)));
    }

    private void with(ClusterPlan plan, Feed warmup, Step step) throws IOException, InterruptedException {
        Path folder = BenchFolder.emptied(home.folder().resolve("chimera-bench/target/scale"));
        try (LoadedCluster cluster = LoadedCluster.start(home, folder, plan.with(NodeMemory.LARGE))) {
            for (int i = 0; i < WARMUPS; i++) {
                cluster.pass(warmup, effort.bodies());
            }
            step.run(cluster);
        } catch (IOException e) {
            throw new IOException(e.getMessage() + " The logs are in " + folder + ".", e);
        }
        BenchFolder.delete(folder);
    }

    private void curve(LoadedCluster cluster, Axis axis, List<Integer> steps, IntFunction<SeriesText> points)
            throws IOException, InterruptedException {
        for (int at : steps) {
            Feed feed = points.apply(at).feed();
            int series = axis == Axis.TAGS ? TAGS_SERIES : at;
            int round = (series + feed.bodyPoints() - 1) / feed.bodyPoints();
            cluster.pass(feed, round); // defines all series
            measure(cluster, axis, at, feed, Math.max(round, effort.bodies()));
        }
    }

    private ClusterCost measure(LoadedCluster cluster, Axis axis, int at, Feed feed, long bodies)
            throws IOException, InterruptedException {
        ClusterCost cost = cluster.pass(feed, bodies);
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
