package io.chimera.bench.stages;

/**
 * One line of the report: a benchmark, and the benchmark of the limit it is compared with.
 *
 * @param name how its figures are called
 * @param benchmark class and method of the benchmark, without the package; a group's name stands for the method
 * @param limit name of the stage that does the least possible with the same bytes; null when there is none
 */
record Stage(String name, String benchmark, String limit) {}
