package io.chimera.bench.latency;

/**
 * Duration of the measurements.
 *
 * @param warmupSeconds uncounted sending at full speed
 * @param maxSeconds duration of the run for the maximum rate
 * @param diskSeconds duration of syncs of a plain file
 * @param loadSeconds duration of each load
 */
record LatencyEffort(int warmupSeconds, int maxSeconds, int diskSeconds, int loadSeconds) {
    static final LatencyEffort FULL = new LatencyEffort(20, 20, 10, 60);

    /** Less than a minute in total; the results include compilation. */
    static final LatencyEffort QUICK = new LatencyEffort(3, 3, 2, 4);

    /** Returns the effort with another duration of each load. */
    LatencyEffort with(int otherLoadSeconds) {
        return new LatencyEffort(warmupSeconds, maxSeconds, diskSeconds, otherLoadSeconds);
    }
}
