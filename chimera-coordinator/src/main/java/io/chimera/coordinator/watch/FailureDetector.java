package io.chimera.coordinator.watch;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tracks how long each session named by an open cycle has been missing from the view. Used by the conductor's thread
 * only.
 */
public final class FailureDetector {
    private final long graceNs;
    private final Map<Long, Long> missingSinceNs = new HashMap<>();

    public FailureDetector(long graceNs) {
        this.graceNs = graceNs;
    }

    /** Updates the missing sessions from a view. */
    public void look(ClusterView view, long nowNs) {
        Set<Long> missing = new HashSet<>();
        for (OpenCycle open : view.open()) {
            if (!open.isCommitted()) {
                missing.addAll(open.assignment().owners());
                missing.addAll(open.assignment().processors());
            }
        }
        view.queues().forEach(member -> missing.remove(member.session()));
        view.processors().forEach(member -> missing.remove(member.session()));
        missingSinceNs.keySet().retainAll(missing);
        missing.forEach(session -> missingSinceNs.putIfAbsent(session, nowNs));
    }

    /** Returns whether a session has been missing for at least the grace time. */
    public boolean isGone(long session, long nowNs) {
        Long sinceNs = missingSinceNs.get(session);
        return sinceNs != null && nowNs - sinceNs >= graceNs;
    }
}
