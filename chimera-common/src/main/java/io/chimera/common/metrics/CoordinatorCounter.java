package io.chimera.common.metrics;

/** Counters of a leading coordinator. */
public enum CoordinatorCounter implements CounterDescriptor {
    /** Elections won. */
    ELECTIONS("elections", "Elections won by this coordinator."),
    /** Cycles begun. */
    CYCLES_BEGUN("cycles_begun", "Cycles begun by this coordinator."),
    /** Cycles committed. */
    CYCLES_COMMITTED("cycles_committed", "Cycles completely committed while this coordinator led."),
    /** Points of committed cycles. */
    POINTS_COMMITTED("points_committed", "Points within the cuts of the committed cycles."),
    /** Rows of committed cycles. */
    ROWS_COMMITTED("rows_committed", "Rows written by the committed cycles."),
    /** Difference between the points of the cuts and the accounts of the commits. */
    POINTS_UNACCOUNTED(
            "points_unaccounted", "Points of committed cycles missing in the accounts of all commits; must be 0."),
    /** Sum of the commit latencies. */
    COMMIT_LATENCY_MS(
            "commit_latency_ms", "Sum of the times from the begin of a cycle to its last commit, in milliseconds."),
    /** Number of latencies in the sum. */
    COMMIT_LATENCIES(
            "commit_latencies", "Number of cycles in commit_latency_ms; only cycles begun by this coordinator count."),
    /** Parts reassigned to another queue node. */
    PARTS_REASSIGNED("parts_reassigned", "Parts of open cycles reassigned to another queue node."),
    /** Shards reassigned to another processor. */
    SHARDS_REASSIGNED("shards_reassigned", "Shards of open cycles reassigned to another processor."),
    /** Replayed past cycles. */
    CYCLES_REPLAYED("cycles_replayed", "Past cycles replayed on request; no other cycle counter includes them."),
    /** Points of the replayed cycles. */
    POINTS_REPLAYED("points_replayed", "Points of the replayed past cycles."),
    /** Past cycles without records in any journal. */
    REPLAYS_SKIPPED("replays_skipped", "Past cycles not replayed because no journal has their records any more."),
    /** Reassignments away from live nodes. */
    LIVING_REASSIGNED(
            "living_reassigned",
            "Reassignments of parts or shards from live nodes that are unreachable or far behind the other nodes."),
    /** Excluded members. */
    MEMBERS_EXCLUDED("members_excluded", "Sessions of nodes excluded from work because of a different configuration."),
    /** Clock jumps not adopted by the cycle times. */
    CLOCK_JUMPS("clock_jumps", "Jumps of this machine's clock not adopted by the cycle times."),
    /** Refused writes. */
    WRITES_REFUSED(
            "writes_refused",
            "Writes refused because they were outdated or the leadership or the connection was lost.");

    private final String what;
    private final String help;

    CoordinatorCounter(String what, String help) {
        this.what = what;
        this.help = help;
    }

    @Override
    public String stage() {
        return "coordinator";
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
