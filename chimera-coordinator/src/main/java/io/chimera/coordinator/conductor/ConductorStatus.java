package io.chimera.coordinator.conductor;

import io.chimera.coordinator.watch.Standstill;
import java.util.List;
import java.util.Optional;

/**
 * Snapshot of the conductor.
 *
 * @param epoch epoch of its term; 0 while another coordinator leads
 * @param waiting reason why no cycle begins, or an open cycle does not end; empty when there is no standstill
 * @param committed last cycles seen as committed, oldest first
 */
public record ConductorStatus(long epoch, Optional<Standstill> waiting, List<CommittedCycle> committed) {
    /** Status of a conductor that has never led. */
    public static final ConductorStatus FOLLOWING = new ConductorStatus(0, Optional.empty(), List.of());

    /** Copies the committed cycles. */
    public ConductorStatus {
        committed = List.copyOf(committed);
    }

    /**
     * Returns the time from start to last commit of the newest cycle begun by this coordinator; -1 if none.
     */
    public long lastCommitLatencyMs() {
        for (int i = committed.size() - 1; i >= 0; i--) {
            if (committed.get(i).commitLatencyMs() >= 0) {
                return committed.get(i).commitLatencyMs();
            }
        }
        return -1;
    }

    /**
     * Returns the points in the heaviest shard divided by the points in the mean shard of the last committed cycle; 1
     * if none.
     */
    public double lastSkew() {
        return CommittedCycle.lastSkew(committed);
    }
}
