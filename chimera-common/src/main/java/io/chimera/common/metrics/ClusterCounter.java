package io.chimera.common.metrics;

/** Counters of a node's connection to the coordinator. */
public enum ClusterCounter implements CounterDescriptor {
    /** Connections made. */
    CONNECTIONS("connections", "Connections to ZooKeeper after which this node read the cluster's state."),
    /** Connections lost. */
    DISCONNECTIONS("disconnections", "Connections to ZooKeeper lost."),
    /** Views published. */
    VIEWS("views", "Views of the cluster published on this node."),
    /** Own announcements written. */
    ANNOUNCEMENTS("announcements", "Announcements written by this node."),
    /** Announcements refused because of the id. */
    IDS_REFUSED("ids_refused", "Announcements refused because another process uses this node's id."),
    /** Processes that claimed this node's id. */
    IDS_CLAIMED(
            "ids_claimed",
            "Processes that claimed this node's id; each counts once, whatever the number of its claims."),
    /** Successful commits. */
    COMMITS("commits", "Shards committed by this node."),
    /** Commits under a replaced assignment. */
    COMMITS_FENCED("commits_fenced", "Commits without effect because the cycle was reassigned or already deleted."),
    /** Unreadable znodes. */
    ZNODES_MALFORMED("znodes_malformed", "Znodes ignored because of invalid content."),
    /** Failed writes. */
    WRITES_FAILED("writes_failed", "Failed writes, to be retried.");

    private final String what;
    private final String help;

    ClusterCounter(String what, String help) {
        this.what = what;
        this.help = help;
    }

    @Override
    public String stage() {
        return "cluster";
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
