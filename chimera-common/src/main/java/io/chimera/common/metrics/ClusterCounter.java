package io.chimera.common.metrics;

/** What every node counts of its connection to the coordinator. */
public enum ClusterCounter implements CounterDescriptor {
    /** Connections made. */
    CONNECTIONS("connections", "Times that this node got in touch with ZooKeeper and read the cluster's state."),
    /** Connections lost. */
    DISCONNECTIONS("disconnections", "Times that the connection to ZooKeeper broke."),
    /** Views published. */
    VIEWS("views", "Views of the cluster that this node saw."),
    /** Own announcements written. */
    ANNOUNCEMENTS("announcements", "Announcements of itself that this node wrote."),
    /** Announcements refused because of the id. */
    IDS_REFUSED("ids_refused", "Times that another process held this node's id."),
    /** Claims of this node's id by others. */
    IDS_CLAIMED("ids_claimed", "Times that another process claimed the id that this node holds."),
    /** Commits that stand. */
    COMMITS("commits", "Shards that this node committed."),
    /** Commits under an assignment that was replaced. */
    COMMITS_FENCED("commits_fenced", "Commits without effect because the cycle was assigned anew or is forgotten."),
    /** Znodes that could not be read. */
    ZNODES_MALFORMED("znodes_malformed", "Znodes passed over because their content is not what it must be."),
    /** Writes that failed. */
    WRITES_FAILED("writes_failed", "Writes that failed and are tried again.");

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
