package io.chimera.bench.scale.quota;

import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterLayout;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.NodeMemory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Parts of a cluster that grow from one measured cluster to the next. Each part has the same quota. */
public enum Growth {
    /** Processors, with a single queue node without a limit. */
    PROCESSORS,

    /** Journal groups with a queue node each; the processors have no limit. */
    GROUPS,

    /** Lanes of the only queue node; the processors have no limit. */
    QUEUE_LANES,

    /** Lanes of the only processor. */
    PROCESSOR_LANES,

    /** Lanes of the only processor, with quotas so large that the lanes run on two cores at the same time. */
    CORES;

    /** Share of a core of a lane in {@link #CORES}, in percent: two lanes leave a core to queue node and sender. */
    private static final double CORE_PERCENT = 40;

    /**
     * Settings of the pipeline while processors are limited. With quantiles and distinct values, a point costs a
     * processor so much that the queue node and the sender can keep up with more processors.
     */
    private static final String EXPENSIVE = "delivery: at_least_once, aggregate: { functions: "
            + "[count, min, max, sum, mean, variance, p50, p99, distinct] }";

    /** Settings of the pipeline while queue nodes are limited. */
    private static final String CHEAP = "delivery: at_least_once, aggregate: { functions: [sum] }";

    /** Processors without a limit. */
    private static final int FREE_PROCESSORS = 2;

    /**
     * Series, and so groups and rows, per limited processor or lane. In proportion to the parts, so that each part
     * writes as many rows in a cluster of any size. With fewer series, hash mod M divides them less evenly; with more,
     * the rows cost a processor more than the points.
     */
    private static final int SERIES = 2_000;

    /** Series while queue nodes are limited. */
    private static final int QUEUE_SERIES = 1_000;

    /**
     * Points that end a cycle, per limited processor or lane. So each point pays for as many rows in a cluster of any
     * size: cycles that end by time are longer in a cluster with a longer backlog, and have fewer rows per point.
     */
    private static final long CYCLE_POINTS = 200_000;

    /** Longest cycle of limited processors: longer than a processor with 6 % of a core needs for its points. */
    private static final String LONGEST_CYCLE = "10s";

    /**
     * Period of other cycles. A limited node is some percent of a real one, and pays the same fixed cost per cycle:
     * shorter cycles would measure this cost.
     */
    static final Duration CYCLE = Duration.ofSeconds(3);

    /** Ends of cycles by time: the points of no cluster end a cycle before its period. */
    static final ClusterPlan.Cycles CYCLES = new ClusterPlan.Cycles(CYCLE.toSeconds() + "s", 100_000_000);

    /** Returns the prefix of the figures of a cluster. */
    String prefix() {
        return name().toLowerCase(Locale.ROOT) + "_";
    }

    /** Returns the name of the parts. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns whether queue nodes are limited, and not processors. */
    boolean isOfQueueNodes() {
        return this == GROUPS || this == QUEUE_LANES;
    }

    /** Returns the cluster with a number of parts. */
    ClusterPlan plan(int parts) {
        ClusterLayout layout =
                switch (this) {
                    case PROCESSORS -> ClusterLayout.of(1, parts);
                    case GROUPS -> ClusterLayout.of(parts, FREE_PROCESSORS).grouped();
                    case QUEUE_LANES -> ClusterLayout.of(1, FREE_PROCESSORS).queueLanes(parts);
                    case PROCESSOR_LANES, CORES -> ClusterLayout.of(1, 1).processorLanes(parts);
                };
        return ClusterPlan.forgetting(layout)
                .cycling(isOfQueueNodes() ? CYCLES : new ClusterPlan.Cycles(LONGEST_CYCLE, cyclePoints(parts)))
                .aggregating(isOfQueueNodes() ? CHEAP : EXPENSIVE)
                .with(NodeMemory.LARGE);
    }

    /** Returns the points that end a cycle; 0 if cycles end by time. */
    long cyclePoints(int parts) {
        return isOfQueueNodes() ? 0 : CYCLE_POINTS * parts;
    }

    /** Returns the number of series of the load. */
    int series(int parts) {
        return isOfQueueNodes() ? QUEUE_SERIES : SERIES * parts;
    }

    /** Returns the ids of the limited nodes. */
    List<String> limited(BenchCluster cluster) {
        return isOfQueueNodes() ? cluster.queueNodes() : cluster.processors();
    }

    /** Returns the ids of the nodes of the other tier, which have no limit. */
    List<String> others(BenchCluster cluster) {
        return isOfQueueNodes() ? cluster.processors() : cluster.queueNodes();
    }

    /** Returns the number of parts in each limited node. */
    int partsPerNode(int parts) {
        return this == PROCESSORS || this == GROUPS ? 1 : parts;
    }

    /** Returns the share of a core of each part, in percent, if it is not the share of the command. */
    OptionalDouble percent() {
        return this == CORES ? OptionalDouble.of(CORE_PERCENT) : OptionalDouble.empty();
    }
}
