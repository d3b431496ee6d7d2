package io.chimera.bench.stages;

/**
 * How long a benchmark runs.
 *
 * @param forks JVMs, one after the other
 * @param warmups iterations of each JVM that do not count
 * @param warmupMs length of one of them
 * @param iterations iterations of each JVM that count
 * @param iterationMs length of one of them
 */
record Effort(int forks, int warmups, int warmupMs, int iterations, int iterationMs) {
    /** 3 x (5 + 5) s per benchmark. */
    static final Effort FULL = new Effort(3, 5, 1_000, 5, 1_000);

    /** 1.8 s per benchmark, and about one to start its JVM. */
    static final Effort QUICK = new Effort(1, 3, 400, 3, 200);
}
