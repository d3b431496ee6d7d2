package io.chimera.common.metrics;

/** Counters of a leading coordinator. */
public enum CoordinatorCounter implements CounterDescriptor {
    ELECTIONS("elections", "Elections won by this coordinator."),
    CYCLES_BEGUN("cycles_begun", "Cycles begun by this coordinator."),
    CYCLES_COMMITTED("cycles_committed", "Cycles completely committed while this coordinator led."),
    POINTS_COMMITTED("points_committed", "Points within the cuts of the committed cycles."),
    ROWS_COMMITTED("rows_committed", "Rows written by the committed cycles."),
    POINTS_UNACCOUNTED(
            "points_unaccounted", "Points of committed cycles missing in the accounts of all commits; must be 0."),
    COMMIT_LATENCY_MS(
            "commit_latency_ms", "Sum of the times from the begin of a cycle to its last commit, in milliseconds."),
    COMMIT_LATENCIES(
            "commit_latencies", "Number of cycles in commit_latency_ms; only cycles begun by this coordinator count."),
    PARTS_REASSIGNED("parts_reassigned", "Parts of open cycles reassigned to another queue node."),
    SHARDS_REASSIGNED("shards_reassigned", "Shards of open cycles reassigned to another processor."),
    CYCLES_REPLAYED("cycles_replayed", "Past cycles replayed on request; no other cycle counter includes them."),
    POINTS_REPLAYED("points_replayed", "Points of the replayed past cycles."),
    REPLAYS_SKIPPED("replays_skipped", "Past cycles not replayed because no journal has their records any more."),
    LIVING_REASSIGNED(
            "living_reassigned",
            "Reassignments of parts or shards from live nodes that are unreachable or far behind the other nodes."),
    MEMBERS_EXCLUDED("members_excluded", "Sessions of nodes excluded from work because of a different configuration."),
    CLOCK_JUMPS("clock_jumps", "Jumps of this machine's clock not adopted by the cycle times."),
    WRITES_REFUSED(
            "writes_refused",
            "Writes refused because they were outdated or the leadership or the connection was lost.");

    private final MetricText text;

    CoordinatorCounter(String what, String help) {
        text = new MetricText("coordinator", what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
