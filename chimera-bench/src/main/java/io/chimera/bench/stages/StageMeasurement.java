package io.chimera.bench.stages;

/**
 * Benchmark result of a stage.
 *
 * @param stage name of the stage
 * @param nsPerPoint nanoseconds per point
 * @param allocatedBytes bytes allocated per point, by all threads
 * @param cpuNs processor time of all threads per point, in ns
 */
public record StageMeasurement(String stage, double nsPerPoint, double allocatedBytes, double cpuNs) {}
