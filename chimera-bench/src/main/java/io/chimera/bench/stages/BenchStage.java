package io.chimera.bench.stages;

import java.util.Map;

/**
 * Line of the report: a benchmark and the benchmark of its limit.
 *
 * @param name name in figures
 * @param benchmark class and method of the benchmark, without the package; for a group the name of the group instead of
 *     the method
 * @param limit stage with the minimal work on the same bytes; null if none
 * @param threads parallel threads of the benchmark, each with a separate state; the rate is the total of all threads
 * @param parameters parameters of the benchmark other than the defaults
 */
record BenchStage(String name, String benchmark, String limit, int threads, Map<String, String> parameters) {
    /** Creates a stage on one thread, or on the threads of its group. */
    static BenchStage of(String name, String benchmark, String limit) {
        return new BenchStage(name, benchmark, limit, 1, Map.of());
    }

    /** Returns the stage on several threads. */
    BenchStage onThreads(String newName, int newThreads) {
        return new BenchStage(newName, benchmark, limit, newThreads, parameters);
    }

    /** Returns the stage with a different parameter and limit. */
    BenchStage with(String newName, String newLimit, String parameter, String value) {
        return new BenchStage(newName, benchmark, newLimit, threads, Map.of(parameter, value));
    }
}
