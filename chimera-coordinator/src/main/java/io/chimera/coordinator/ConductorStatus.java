package io.chimera.coordinator;

import java.util.List;
import java.util.Optional;

/**
 * What a conductor does at a moment.
 *
 * @param epoch of its lead; 0 while another coordinator leads
 * @param waiting why no cycle begins, or an open cycle does not end; empty when cycles do
 * @param committed the last cycles that it saw committed, oldest first
 */
public record ConductorStatus(long epoch, Optional<Standstill> waiting, List<CommittedCycle> committed) {
    /** Leads nothing and has led nothing. */
    public static final ConductorStatus FOLLOWING = new ConductorStatus(0, Optional.empty(), List.of());

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
