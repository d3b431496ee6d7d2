package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Determines the streams that the next cut may omit. Announcements of queue nodes are always a little old: a node may
 * hold a record that is neither synced nor announced. A stream omitted too early would return as an unknown stream and
 * be counted from its beginning. So a stream must look finished for a long time without interruption. A stream of a
 * retired group, without a registered or live queue node, is finished once all of its cycles are verified. Used by the
 * conductor's thread only.
 */
public final class FinishedStreams {
    private final long afterNs;
    private final Map<Long, Long> sinceNs = new HashMap<>();

    /**
     * Creates an instance without observations.
     *
     * @param afterNs time for which a stream must look finished
     */
    public FinishedStreams(long afterNs) {
        this.afterNs = afterNs;
    }

    /** Updates the timers of the streams of the last cut from a view. */
    public void look(ClusterView view, long nowNs) {
        Set<Long> now = Cuts.finished(view);
        sinceNs.keySet().retainAll(now);
        now.forEach(stream -> sinceNs.putIfAbsent(stream, nowNs));
    }

    /** Returns the streams that have looked finished for the whole time. */
    public Set<Long> at(long nowNs) {
        Set<Long> finished = new HashSet<>();
        sinceNs.forEach((stream, since) -> {
            if (nowNs - since >= afterNs) {
                finished.add(stream);
            }
        });
        return finished;
    }
}
