package io.chimera.bench.scale.quota;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Clusters measured after each other.
 *
 * @param clusters observations by growing part, and number of parts
 * @param change clusters whose processors change; present if {@link Growth#PROCESSORS} was measured
 */
record Round(Map<Growth, SortedMap<Integer, Window>> clusters, Optional<Change> change) {
    /**
     * Clusters of {@link QuotaRun#NODES} processors.
     *
     * @param slow cluster with one processor that has half of the quota
     * @param rebalance join of a processor
     */
    record Change(Window slow, Rebalance rebalance) {}

    /** Copies the observations. */
    Round {
        Map<Growth, SortedMap<Integer, Window>> copy = new EnumMap<>(Growth.class);
        clusters.forEach((growth, windows) -> copy.put(growth, new TreeMap<>(windows)));
        clusters = copy;
    }

    /** Returns the observations of a growing part by number of parts. */
    SortedMap<Integer, Window> clusters(Growth growth) {
        return requireNonNull(clusters.get(growth), "each round measures the same parts");
    }

    /** Returns the observation of a cluster. */
    Window cluster(Growth growth, int parts) {
        return requireNonNull(clusters(growth).get(parts), "each round runs all clusters");
    }

    /** Returns the rate per part divided by the rate per part of the smallest cluster. */
    double efficiency(Growth growth, int parts) {
        return cluster(growth, parts).pointsPerSecondAndPart()
                / cluster(growth, clusters(growth).firstKey()).pointsPerSecondAndPart();
    }

    /** Returns the join of a processor. */
    Rebalance rebalance() {
        return change.orElseThrow().rebalance();
    }

    /** Returns the rate with a slow processor, divided by the rate if each processor worked at its own speed. */
    double slowToIdeal() {
        double ideal =
                cluster(Growth.PROCESSORS, QuotaRun.NODES).pointsPerSecond() * (QuotaRun.NODES - 0.5) / QuotaRun.NODES;
        return change.orElseThrow().slow().pointsPerSecond() / ideal;
    }
}
