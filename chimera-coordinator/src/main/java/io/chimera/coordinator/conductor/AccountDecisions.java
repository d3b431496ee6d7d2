package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.ClusterView;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Decisions of operators about cycles with unaccounted points, until they are carried out. Any thread. */
final class AccountDecisions {
    private final Map<Long, AccountDecision> decisions = new ConcurrentHashMap<>();

    void decide(long cycle, AccountDecision decision) {
        decisions.put(cycle, decision);
    }

    boolean is(long cycle, AccountDecision decision) {
        return decisions.get(cycle) == decision;
    }

    void remove(long cycle) {
        decisions.remove(cycle);
    }

    /** Removes the decisions about cycles that are not open. */
    void retainOpen(ClusterView view) {
        decisions.keySet().removeIf(cycle -> !view.cycles().containsKey(cycle));
    }

    /** Removes the decisions about the cycles up to the new low-water mark. */
    void removeUpTo(long reached) {
        decisions.keySet().removeIf(cycle -> cycle <= reached);
    }
}
