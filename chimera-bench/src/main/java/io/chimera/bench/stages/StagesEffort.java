package io.chimera.bench.stages;

/**
 * Duration of a benchmark.
 *
 * @param forks number of JVMs, run in sequence
 * @param warmups uncounted iterations per JVM
 * @param warmupMs duration of an uncounted iteration
 * @param iterations counted iterations per JVM
 * @param iterationMs duration of a counted iteration
 */
public record StagesEffort(int forks, int warmups, int warmupMs, int iterations, int iterationMs) {
    /** 3 x (5 + 5) s per benchmark. */
    static final StagesEffort FULL = new StagesEffort(3, 5, 1_000, 5, 1_000);

    /** 1.8 s per benchmark, plus about a second for the start of the JVM. */
    static final StagesEffort QUICK = new StagesEffort(1, 3, 400, 3, 200);
}
