package io.chimera.coordinator.conductor;

import java.util.ArrayList;
import java.util.List;

/** Last committed cycles, for the status. Used by the conductor's thread only. */
final class CommittedCycles {
    /** Number of committed cycles to keep: about a quarter of an hour at 10 s per cycle, and one screen. */
    private static final int KEPT = 100;

    private List<CommittedCycle> newest = List.of();

    void add(CommittedCycle cycle) {
        List<CommittedCycle> next =
                new ArrayList<>(newest.subList(Math.max(0, newest.size() - KEPT + 1), newest.size()));
        next.add(cycle);
        newest = List.copyOf(next);
    }

    /** Returns the cycles, oldest first; the same list until a cycle is added. */
    List<CommittedCycle> list() {
        return newest;
    }
}
