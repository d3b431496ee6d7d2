package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Since when the streams of the last cut look finished. An announcement may be as old as a session that is silent lives:
 * after an outage of ZooKeeper a journal can hold records that its announcement does not show yet. So a stream leaves the
 * cuts only when it has looked finished for longer than that without a break. Owned by the conductor.
 */
final class FinishedStreams {
    private final long keptNs;
    private final Map<Long, Long> sinceNs = new HashMap<>();

    FinishedStreams(long keptNs) {
        this.keptNs = keptNs;
    }

    /** Notes what a view shows. */
    void look(ClusterView view, long nowNs) {
        Set<Long> finished = new HashSet<>();
        view.lastCut().forEach((stream, cut) -> {
            if (Cuts.isFinished(view, stream, cut)) {
                finished.add(stream);
            }
        });
        sinceNs.keySet().retainAll(finished);
        finished.forEach(stream -> sinceNs.putIfAbsent(stream, nowNs));
    }

    /** Whether a stream may leave the cuts. */
    boolean mayLeave(long stream, long nowNs) {
        Long since = sinceNs.get(stream);
        return since != null && nowNs - since >= keptNs;
    }

    /** Begins anew: while nobody looked, more may have come. */
    void forget() {
        sinceNs.clear();
    }
}
