package io.chimera.bench.stages;

import java.util.Map;

/**
 * One line of the report: a benchmark, and the benchmark of the limit it is compared with.
 *
 * @param name how its figures are called
 * @param benchmark class and method of the benchmark, without the package; a group's name stands for the method
 * @param limit name of the stage that does the least possible with the same bytes; null when there is none
 * @param threads threads that run the benchmark side by side, each with a state of its own; the rate is that of all
 * @param parameters of the benchmark that differ from its defaults
 */
record Stage(String name, String benchmark, String limit, int threads, Map<String, String> parameters) {
    /** A stage on one thread, or on those that its group says. */
    static Stage of(String name, String benchmark, String limit) {
        return new Stage(name, benchmark, limit, 1, Map.of());
    }

    /** The same on several threads. */
    Stage onThreads(String newName, int newThreads) {
        return new Stage(newName, benchmark, limit, newThreads, parameters);
    }

    /** The same with another parameter and another limit. */
    Stage with(String newName, String newLimit, String parameter, String value) {
        return new Stage(newName, benchmark, newLimit, threads, Map.of(parameter, value));
    }
}
