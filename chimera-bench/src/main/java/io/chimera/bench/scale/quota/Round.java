package io.chimera.bench.scale.quota;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Clusters measured after each other.
 *
 * @param clusters observations by number of processors
 * @param slow cluster of {@link QuotaRun#NODES} processors, one of which has half of the quota
 * @param rebalance join of a processor
 */
record Round(SortedMap<Integer, Window> clusters, Window slow, Rebalance rebalance) {
    /** Copies the observations. */
    Round {
        clusters = Collections.unmodifiableSortedMap(new TreeMap<>(clusters));
    }

    /** Returns the observation of a cluster. */
    Window cluster(int processors) {
        return requireNonNull(clusters.get(processors), "each round runs all clusters");
    }

    /** Returns the rate per processor divided by the rate per processor of the smallest cluster. */
    double efficiency(int processors) {
        return cluster(processors).pointsPerSecondAndNode()
                / cluster(clusters.firstKey()).pointsPerSecondAndNode();
    }

    /** Returns the rate with a slow processor, divided by the rate if each processor worked at its own speed. */
    double slowToIdeal() {
        double ideal = cluster(QuotaRun.NODES).pointsPerSecond() * (QuotaRun.NODES - 0.5) / QuotaRun.NODES;
        return slow.pointsPerSecond() / ideal;
    }
}
