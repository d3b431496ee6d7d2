package io.chimera.bench.stages;

import java.util.HashMap;
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
public record BenchStage(String name, String benchmark, String limit, int threads, Map<String, String> parameters) {
    /** Parameter with the number of points per call, for benchmarks of bulks. */
    static final String BULK = "bulk";

    /** Creates a stage on one thread, or on the threads of its group. */
    public static BenchStage of(String name, String benchmark, String limit) {
        return new BenchStage(name, benchmark, limit, 1, Map.of());
    }

    /** Returns the stage on several threads. */
    public BenchStage onThreads(String newName, int newThreads) {
        return new BenchStage(newName, benchmark, limit, newThreads, parameters);
    }

    /** Returns the stage with a different parameter and limit. */
    public BenchStage with(String newName, String newLimit, String parameter, String value) {
        Map<String, String> all = new HashMap<>(parameters);
        all.put(parameter, value);
        return new BenchStage(newName, benchmark, newLimit, threads, Map.copyOf(all));
    }

    /** Returns the stage with a number of points per call, without a limit; the benchmark has the parameter bulk. */
    public BenchStage inBulks(String newName, int points) {
        return with(newName, null, BULK, Integer.toString(points));
    }
}
