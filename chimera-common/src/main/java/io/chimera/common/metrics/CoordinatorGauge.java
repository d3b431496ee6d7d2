package io.chimera.common.metrics;

/** Gauges of a coordinator. */
public enum CoordinatorGauge implements GaugeDescriptor {
    LEADING("coordinator", "leading", "1 while this coordinator leads, otherwise 0."),
    CONNECTED("coordinator", "connected", "1 while ZooKeeper is connected, otherwise 0."),
    QUEUE_NODES("coordinator", "queue_nodes", "Live queue nodes."),
    PROCESSORS("coordinator", "processors", "Live processors; each lane of a node counts."),
    COPIES_MISSING(
            "coordinator",
            "copies_missing",
            "Copies of queue.acks currently given up because queue nodes are dead; 0 at full replication."),
    CHANGE_WAITS_FOR(
            "coordinator",
            "change_waits_for",
            "Live members without the newest pipelines of this coordinator; 0 when these pipelines are active."),
    CYCLES_OPEN("coordinator", "cycles_open", "Cycles begun but not yet below the low-water mark."),
    CYCLES_UNACCOUNTED(
            "coordinator",
            "cycles_unaccounted",
            "Open cycles whose commits do not account for all points. Values above 0 need an operator's decision."),
    LAST_CYCLE("coordinator", "last_cycle", "Number of the last cycle committed together with all earlier cycles."),
    CYCLE_PERIOD_SECONDS(
            "coordinator",
            "cycle_period_seconds",
            "Period of new cycles while this coordinator leads, otherwise 0. Changes with cycle.every: auto."),
    COMMIT_LATENCY_SECONDS(
            "coordinator",
            "last_commit_latency_seconds",
            "Time from the begin of the newest committed cycle to its last commit."),
    SHARD_SKEW(
            "coordinator",
            "last_shard_skew",
            "Ratio of the points in the largest shard to the mean shard, in the newest committed cycle; 1 for equal"
                    + " shards.");

    private final MetricText text;

    CoordinatorGauge(String stage, String what, String help) {
        text = new MetricText(stage, what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
