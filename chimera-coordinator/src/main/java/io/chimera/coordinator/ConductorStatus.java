package io.chimera.coordinator;

import java.util.List;

/**
 * What a conductor does at a moment.
 *
 * @param epoch of its lead; 0 while another coordinator leads
 * @param waiting why there are points but no cycle begins; empty when one does
 * @param committed the last cycles that it saw committed, oldest first
 */
public record ConductorStatus(long epoch, String waiting, List<CommittedCycle> committed) {
    /** Leads nothing and has led nothing. */
    public static final ConductorStatus FOLLOWING = new ConductorStatus(0, "", List.of());

    /** Takes an unmodifiable copy. */
    public ConductorStatus {
        committed = List.copyOf(committed);
    }

    /** Time from begin to last commit of the last cycle that this coordinator began itself; -1 when there is none. */
    public long lastCommitLatencyMs() {
        for (int i = committed.size() - 1; i >= 0; i--) {
            if (committed.get(i).commitLatencyMs() >= 0) {
                return committed.get(i).commitLatencyMs();
            }
        }
        return -1;
    }

    /** Points in the heaviest shard over those in the mean shard of the last committed cycle; 1 when there is none. */
    public double lastSkew() {
        return CommittedCycle.lastSkew(committed);
    }
}
