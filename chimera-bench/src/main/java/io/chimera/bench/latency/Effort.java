package io.chimera.bench.latency;

/**
 * How long it is measured.
 *
 * @param warmupSeconds of sending as fast as it is taken, before anything counts
 * @param maxSeconds of the run that finds the maximum rate
 * @param diskSeconds of syncs to a plain file
 * @param loadSeconds of each load
 */
record Effort(int warmupSeconds, int maxSeconds, int diskSeconds, int loadSeconds) {
    static final Effort FULL = new Effort(20, 20, 10, 60);

    /** Under a minute in all; compilation is still a part of what is measured. */
    static final Effort QUICK = new Effort(3, 3, 2, 4);

    /** The same with another time for each load. */
    Effort with(int otherLoadSeconds) {
        return new Effort(warmupSeconds, maxSeconds, diskSeconds, otherLoadSeconds);
    }
}
