package io.chimera.common.agent;

import java.time.Instant;

/** Clock of the machine. */
public final class SystemClock implements Clock {
    /** Creates a clock. */
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
