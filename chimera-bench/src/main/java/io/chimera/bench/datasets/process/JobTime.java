package io.chimera.bench.datasets.process;

/**
 * Time of a run of a job.
 *
 * @param processSeconds time of the whole process, with the start of the JVM
 * @param jobSeconds time of the job alone, as in its report
 */
public record JobTime(double processSeconds, double jobSeconds) {}
