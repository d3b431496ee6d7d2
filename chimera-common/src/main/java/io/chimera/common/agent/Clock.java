package io.chimera.common.agent;

/** Time as the nodes see it; a simulation hands in its own. Any thread. */
public interface Clock {
    /**
     * Nanoseconds from an arbitrary origin; never goes back. For durations and deadlines.
     */
    long nanoTime();

    /** Nanoseconds since 1970-01-01T00:00Z by the wall clock, which may step. */
    long epochNs();

    /** Milliseconds since 1970-01-01T00:00Z by the wall clock, which may step. */
    default long epochMs() {
        return epochNs() / 1_000_000;
    }
}
