package io.chimera.archive.server.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Exponential back-off with jitter for retries to a busy archive node. Any thread. */
public final class Backoff {
    private static final long FIRST_MS = 50;
    private static final int DOUBLED_MAX = 5; // up to 1.6 s

    private final RandomGenerator random;

    /**
     * Creates a back-off.
     *
     * @param random draws the jitter; safe for any thread
     */
    public Backoff(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Returns the delay after a number of refusals: a random time between half and all of the interval. The interval
     * doubles with each of the first refusals.
     */
    public Duration before(int refusals) {
        long ms = FIRST_MS << Math.min(DOUBLED_MAX, refusals - 1);
        return Duration.ofMillis(ms / 2 + random.nextLong(ms / 2 + 1));
    }
}
