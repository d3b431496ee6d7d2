package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Since when the sessions that open cycles name are missing. Owned by the conductor. */
final class Absences {
    private final long graceNs;
    private final Map<Long, Long> missingSinceNs = new HashMap<>();

    Absences(long graceNs) {
        this.graceNs = graceNs;
    }

    /** Notes who is missing in a view. */
    void look(ClusterView view, long nowNs) {
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

    /** Whether a session is missing for longer than the grace. */
    boolean isGone(long session, long nowNs) {
        Long sinceNs = missingSinceNs.get(session);
        return sinceNs != null && nowNs - sinceNs >= graceNs;
    }

    /** Whether nobody is missing. */
    boolean isNobody() {
        return missingSinceNs.isEmpty();
    }

    /** Begins anew: while nobody looked, somebody may have been there. */
    void forget() {
        missingSinceNs.clear();
    }
}
