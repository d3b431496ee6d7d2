package io.chimera.apps.archive;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before somebody who had no room is asked again: longer from time to time, and not as long as others do. Any thread. */
final class Patience {
    private static final long FIRST_MS = 50;
    private static final int DOUBLED_MAX = 5; // up to 1.6 s

    private final RandomGenerator random;

    /**
     * Patience.
     *
     * @param random of any thread
     */
    Patience(RandomGenerator random) {
        this.random = random;
    }

    /** From half of a time to all of it, which doubles with each of the first refusals. */
    Duration before(int refusals) {
        long ms = FIRST_MS << Math.min(DOUBLED_MAX, refusals - 1);
        return Duration.ofMillis(ms / 2 + random.nextLong(ms / 2 + 1));
    }
}
