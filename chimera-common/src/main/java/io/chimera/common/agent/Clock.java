package io.chimera.common.agent;

/** Time source of the nodes; simulations provide their own. Any thread. */
public interface Clock {
    /** Nanoseconds since an arbitrary origin, never decreasing. For durations and deadlines. */
    long nanoTime();

    /** Nanoseconds since 1970-01-01T00:00Z by the wall clock, which may step. */
    long epochNs();

    /** Milliseconds since 1970-01-01T00:00Z by the wall clock, which may step. */
    default long epochMs() {
        return epochNs() / 1_000_000;
    }
}
