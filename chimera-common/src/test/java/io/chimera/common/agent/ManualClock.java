package io.chimera.common.agent;

import java.time.Duration;

/** A clock that stands still until it is moved by hand. Any thread reads, one moves it. */
public final class ManualClock implements Clock {
    /** 2026-01-01T00:00Z: a round time that is plainly not now. */
    private static final long EPOCH_NS = 1_767_225_600L * 1_000_000_000L;

    private volatile long elapsedNs;
    private volatile long epochOffsetNs = EPOCH_NS;

    /** A clock at 2026-01-01T00:00Z. */
    public ManualClock() {}

    @Override
    public long nanoTime() {
        return elapsedNs;
    }

    @Override
    public long epochNs() {
        return epochOffsetNs + elapsedNs;
    }

    /** Lets time pass. */
    public void advance(Duration duration) {
        advanceNs(duration.toNanos());
    }

    /** Lets milliseconds pass. */
    public void advanceMs(long ms) {
        advanceNs(ms * 1_000_000);
    }

    /** Lets nanoseconds pass. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread moves the clock
    public void advanceNs(long ns) {
        if (ns < 0) {
            throw new IllegalArgumentException("A clock does not go back; stepWallClock does.");
        }
        elapsedNs += ns;
    }

    /** Steps the wall clock, forward or back, as an operator or NTP may; durations do not notice. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread moves the clock
    public void stepWallClock(Duration step) {
        epochOffsetNs += step.toNanos();
    }
}
