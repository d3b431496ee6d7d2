package io.chimera.common.agent;

import java.time.Duration;

/** Clock under manual control. Any thread reads, one thread sets. */
public final class ManualClock implements Clock {
    /** 2026-01-01T00:00Z: a round time, clearly different from now. */
    private static final long EPOCH_NS = 1_767_225_600L * 1_000_000_000L;

    private volatile long elapsedNs;
    private volatile long epochOffsetNs = EPOCH_NS;

    /** Creates a clock at 2026-01-01T00:00Z. */
    public ManualClock() {}

    @Override
    public long nanoTime() {
        return elapsedNs;
    }

    @Override
    public long epochNs() {
        return epochOffsetNs + elapsedNs;
    }

    /** Advances the clock. */
    public void advance(Duration duration) {
        advanceNs(duration.toNanos());
    }

    /** Advances the clock by milliseconds. */
    public void advanceMs(long ms) {
        advanceNs(ms * 1_000_000);
    }

    /** Advances the clock by nanoseconds. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread moves the clock
    public void advanceNs(long ns) {
        if (ns < 0) {
            throw new IllegalArgumentException("A clock does not go back; stepWallClock does.");
        }
        elapsedNs += ns;
    }

    /** Steps the wall clock in either direction, like an operator or NTP; durations are unaffected. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread moves the clock
    public void stepWallClock(Duration step) {
        epochOffsetNs += step.toNanos();
    }
}
