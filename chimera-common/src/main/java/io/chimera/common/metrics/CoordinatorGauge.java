package io.chimera.common.metrics;

/** What goes up and down in a coordinator. */
public enum CoordinatorGauge implements GaugeDescriptor {
    /** Lead. */
    LEADING("coordinator", "leading", "1 while this coordinator leads, else 0."),
    /** ZooKeeper. */
    CONNECTED("coordinator", "connected", "1 while ZooKeeper is connected, else 0."),
    /** Queue nodes. */
    QUEUE_NODES("coordinator", "queue_nodes", "Live queue nodes."),
    /** Processors. */
    PROCESSORS("coordinator", "processors", "Live processors."),
    /** Copies done without. */
    COPIES_MISSING(
            "coordinator",
            "copies_missing",
            "Journals of queue.acks that are done without while queue nodes are missing; 0 when all is well."),
    /** Change of pipelines. */
    CHANGE_WAITS_FOR(
            "coordinator",
            "change_waits_for",
            "Live members that lack the pipelines that this coordinator wants; 0 when those are in force."),
    /** Open cycles. */
    CYCLES_OPEN("coordinator", "cycles_open", "Cycles begun and not committed with all before them."),
    /** Cycles that do not add up. */
    CYCLES_UNACCOUNTED(
            "coordinator",
            "cycles_unaccounted",
            "Open cycles whose commits do not account for all points. Anything but 0 needs an operator's decision."),
    /** Last cycle. */
    LAST_CYCLE("coordinator", "last_cycle", "The last cycle that is committed with all before it."),
    /** Latency. */
    COMMIT_LATENCY_SECONDS(
            "coordinator",
            "last_commit_latency_seconds",
            "Time of the newest committed cycle from its begin to its last commit."),
    /** Skew. */
    SHARD_SKEW(
            "coordinator",
            "last_shard_skew",
            "Points in the heaviest shard of the newest committed cycle over those in its mean shard; 1 when all are equal.");

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
