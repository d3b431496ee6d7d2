package io.chimera.bench.scale;

import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Costs so far, by axis and value. One thread. */
final class ScaleResults {
    private final Map<Axis, SortedMap<Integer, ClusterCost>> costs = new EnumMap<>(Axis.class);

    void add(Axis axis, int at, ClusterCost cost) {
        costs.computeIfAbsent(axis, absent -> new TreeMap<>()).put(at, cost);
    }

    Map<Axis, SortedMap<Integer, ClusterCost>> costs() {
        return costs;
    }
}
