package io.chimera.common.agent;

import java.time.Instant;

/** The machine's clock. */
public final class SystemClock implements Clock {
    /** A clock. */
    public SystemClock() {}

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long epochNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
