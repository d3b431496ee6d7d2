package io.chimera.faults.sim;

import java.util.Map;

/**
 * How the life of one cluster went.
 *
 * @param seed the seed
 * @param events number of events
 * @param virtualMs virtual time that passed
 * @param points points sent
 * @param acknowledged of these, those of requests answered with success
 * @param cycles cycles begun
 * @param faults number of faults by their labels
 * @param digest two runs with the same number went the same way
 * @param invariant name of the invariant that did not hold; empty when all did
 * @param seen what was seen instead
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
    /** Whether every invariant held. */
    public boolean isSound() {
        return invariant.isEmpty();
    }
}
