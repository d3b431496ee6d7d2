package io.chimera.bench.scale.quota;

import java.util.Set;

/**
 * What to measure.
 *
 * @param percent share of a core of each part, in percent
 * @param growths the growing parts
 * @param rounds number of rounds; each round runs all clusters
 * @param isQuick whether the run must be short
 */
public record QuotaPlan(double percent, Set<Growth> growths, int rounds, boolean isQuick) {}
