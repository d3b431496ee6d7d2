package io.chimera.common.metrics;

/** Gauges of a coordinator. */
public enum CoordinatorGauge implements GaugeDescriptor {
    /** Leadership. */
    LEADING("coordinator", "leading", "1 while this coordinator leads, otherwise 0."),
    /** Connection to ZooKeeper. */
    CONNECTED("coordinator", "connected", "1 while ZooKeeper is connected, otherwise 0."),
    /** Queue nodes. */
    QUEUE_NODES("coordinator", "queue_nodes", "Live queue nodes."),
    /** Processors. */
    PROCESSORS("coordinator", "processors", "Live processors."),
    /** Copies given up. */
    COPIES_MISSING(
            "coordinator",
            "copies_missing",
            "Copies of queue.acks currently given up because queue nodes are missing; 0 at full replication."),
    /** Progress of a pipeline change. */
    CHANGE_WAITS_FOR(
            "coordinator",
            "change_waits_for",
            "Live members without the newest pipelines of this coordinator; 0 when these pipelines are active."),
    /** Open cycles. */
    CYCLES_OPEN("coordinator", "cycles_open", "Cycles begun but not yet below the low-water mark."),
    /** Cycles with inconsistent accounts. */
    CYCLES_UNACCOUNTED(
            "coordinator",
            "cycles_unaccounted",
            "Open cycles whose commits do not account for all points. Values above 0 need an operator's decision."),
    /** Last cycle. */
    LAST_CYCLE("coordinator", "last_cycle", "Number of the last cycle committed together with all earlier cycles."),
    /** Latency. */
    COMMIT_LATENCY_SECONDS(
            "coordinator",
            "last_commit_latency_seconds",
            "Time from the begin of the newest committed cycle to its last commit."),
    /** Skew. */
    SHARD_SKEW(
            "coordinator",
            "last_shard_skew",
            "Ratio of the points in the largest shard to the mean shard, in the newest committed cycle; 1 for equal"
                    + " shards.");

    private final String stage;
    private final String what;
    private final String help;

    CoordinatorGauge(String stage, String what, String help) {
        this.stage = stage;
        this.what = what;
        this.help = help;
    }

    @Override
    public String stage() {
        return stage;
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public String help() {
        return help;
    }
}
