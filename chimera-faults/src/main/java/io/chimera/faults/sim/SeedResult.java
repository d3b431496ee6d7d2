package io.chimera.faults.sim;

import java.util.Map;

/**
 * Result of the run of a cluster.
 *
 * @param seed the seed
 * @param events number of events
 * @param virtualMs elapsed virtual time
 * @param points points sent
 * @param acknowledged points in requests answered with success
 * @param cycles cycles begun
 * @param faults number of faults by their labels
 * @param digest digest of the run; equal digests mean equal runs
 * @param invariant name of the violated invariant; empty for none
 * @param seen description of the violation
 */
public record SeedResult(
        long seed,
        long events,
        long virtualMs,
        int points,
        int acknowledged,
        long cycles,
        Map<String, Integer> faults,
        long digest,
        String invariant,
        String seen) {
    /** Returns whether every invariant held. */
    public boolean isSound() {
        return invariant.isEmpty();
    }
}
