package io.chimera.common.metrics;

/** Counters of a node's connection to the coordinator. */
public enum ClusterCounter implements CounterDescriptor {
    CONNECTIONS("connections", "Connections to ZooKeeper after which this node read the cluster's state."),
    DISCONNECTIONS("disconnections", "Connections to ZooKeeper lost."),
    VIEWS("views", "Views of the cluster published on this node."),
    ANNOUNCEMENTS("announcements", "Announcements written by this node."),
    IDS_REFUSED("ids_refused", "Announcements refused because another process uses this node's id."),
    IDS_CLAIMED(
            "ids_claimed",
            "Processes that claimed this node's id; each counts once, whatever the number of its claims."),
    COMMITS("commits", "Shards committed by this node."),
    COMMITS_FENCED("commits_fenced", "Commits without effect because the cycle was reassigned or already deleted."),
    ZNODES_MALFORMED("znodes_malformed", "Znodes ignored because of invalid content."),
    WRITES_FAILED("writes_failed", "Failed writes, to be retried.");

    private final MetricText text;

    ClusterCounter(String what, String help) {
        text = new MetricText("cluster", what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
