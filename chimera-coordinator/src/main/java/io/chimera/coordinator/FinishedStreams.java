package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * Streams that the next cut need not name any more. What queue nodes announce is always a little old: one of them may hold a
 * record that it has neither synced nor announced, and a stream that is forgotten too early would come back as an unknown one
 * and be counted from its beginning. So a stream must look finished for long, without a break. The conductor's thread.
 */
final class FinishedStreams {
    private final long afterNs;
    private final Map<Long, Long> sinceNs = new HashMap<>();

    /**
     * None yet.
     *
     * @param afterNs how long a stream must look finished
     */
    FinishedStreams(long afterNs) {
        this.afterNs = afterNs;
    }

    /** Starts counting anew. */
    void forget() {
        sinceNs.clear();
    }

    /** Looks which streams of the last cut are finished by what the view says. */
    void look(ClusterView view, long nowNs) {
        SortedMap<Long, Long> cut = view.lastCut();
        sinceNs.keySet().retainAll(cut.keySet());
        cut.forEach((stream, seq) -> {
            if (Cuts.isFinished(view, stream, seq)) {
                sinceNs.putIfAbsent(stream, nowNs);
            } else {
                sinceNs.remove(stream);
            }
        });
    }

    /** The streams that have looked finished for long enough. */
    Set<Long> at(long nowNs) {
        Set<Long> finished = new HashSet<>();
        sinceNs.forEach((stream, since) -> {
            if (nowNs - since >= afterNs) {
                finished.add(stream);
            }
        });
        return finished;
    }
}
