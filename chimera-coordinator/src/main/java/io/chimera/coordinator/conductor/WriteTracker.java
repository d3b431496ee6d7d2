package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.watch.StandstillWatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Tracks the last write of a term until a view shows its outcome: no decision follows from a view that is older than
 * the last write. Used by the conductor's thread only.
 */
final class WriteTracker {
    /** Time after a refused write for the view to show the reason. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Maximum time for the view to show an accepted write. */
    private static final long SHOWN_WITHIN_NS = TimeUnit.SECONDS.toNanos(1);

    private final Counters<CoordinatorCounter> counters;
    private final StandstillWatch standstills;
    private Predicate<ClusterView> shown = view -> true;
    private long awaitedUntilNs;

    WriteTracker(Counters<CoordinatorCounter> counters, StandstillWatch standstills) {
        this.counters = counters;
        this.standstills = standstills;
    }

    /** Returns whether the conductor must wait for a view with the outcome of the last write. */
    boolean isAwaited(ClusterView view, long nowNs) {
        return !shown.test(view) && nowNs - awaitedUntilNs < 0;
    }

    /**
     * Records the outcome of a write.
     *
     * @param isAccepted whether the store accepted the write
     * @param shownBy tests whether a view shows the accepted write
     * @return whether the store accepted the write
     */
    boolean stands(boolean isAccepted, long nowNs, Predicate<ClusterView> shownBy) {
        shown = isAccepted ? shownBy : view -> false;
        awaitedUntilNs = nowNs + (isAccepted ? SHOWN_WITHIN_NS : RETRY_NS);
        standstills.wrote(isAccepted, nowNs);
        if (!isAccepted) {
            counters.increment(CoordinatorCounter.WRITES_REFUSED);
        }
        return isAccepted;
    }
}
