package io.chimera.common.metrics;

/** What a coordinator counts while it leads. */
public enum CoordinatorCounter implements CounterDescriptor {
    /** Elections won. */
    ELECTIONS("elections", "Times that this coordinator took the lead."),
    /** Cycles begun. */
    CYCLES_BEGUN("cycles_begun", "Cycles that this coordinator began."),
    /** Cycles committed. */
    CYCLES_COMMITTED("cycles_committed", "Cycles of which this coordinator saw every shard committed."),
    /** Points of committed cycles. */
    POINTS_COMMITTED("points_committed", "Points that the cuts of the committed cycles name."),
    /** Rows of committed cycles. */
    ROWS_COMMITTED("rows_committed", "Rows that the committed cycles wrote."),
    /** Difference between what cuts name and commits account for. */
    POINTS_UNACCOUNTED("points_unaccounted", "Points of committed cycles that no commit accounts for; must be 0."),
    /** Sum of the times from begin to last commit. */
    COMMIT_LATENCY_MS("commit_latency_ms", "Sum of the times from the begin of a cycle to its last commit."),
    /** Number of times in that sum. */
    COMMIT_LATENCIES("commit_latencies", "Cycles in commit_latency_ms: those that this coordinator itself began."),
    /** Parts given to another queue node. */
    PARTS_REASSIGNED("parts_reassigned", "Parts of open cycles given to another queue node."),
    /** Shards given to another processor. */
    SHARDS_REASSIGNED("shards_reassigned", "Shards of open cycles given to another processor."),
    /** Past cycles run again. */
    CYCLES_REPLAYED("cycles_replayed", "Past cycles that were run again as asked for; in no other counter of cycles."),
    /** Points of these. */
    POINTS_REPLAYED("points_replayed", "Points of the past cycles that were run again."),
    /** Past cycles that could not be run again. */
    REPLAYS_SKIPPED("replays_skipped", "Past cycles that were to be run again, and no journal held them any more."),
    /** Reassignments that took work from live nodes. */
    LIVING_REASSIGNED(
            "living_reassigned",
            "Assignments that took parts or shards from nodes that live but are cut off or far behind the others."),
    /** Members left out. */
    MEMBERS_EXCLUDED("members_excluded", "Starts of nodes that get no work because their configuration differs."),
    /** Jumps of the machine's clock that cycle times did not follow. */
    CLOCK_JUMPS("clock_jumps", "Jumps of this machine's clock that cycle times did not follow."),
    /** Writes that did not stand. */
    WRITES_REFUSED("writes_refused", "Writes that did not stand: overtaken, out of date, or not connected.");

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
