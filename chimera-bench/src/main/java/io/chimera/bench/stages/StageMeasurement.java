package io.chimera.bench.stages;

/**
 * Benchmark result of a stage.
 *
 * @param stage name of the stage
 * @param nsPerPoint nanoseconds per point
 * @param allocatedBytes bytes allocated per point, by all threads
 */
public record StageMeasurement(String stage, double nsPerPoint, double allocatedBytes) {}
