package io.chimera.bench.datasets;

import java.util.List;

/**
 * Time of a job on the monotonic clock of this process. The end is the end of the process of the job; the begin is
 * earlier by the duration in the report. So both are late by the duration of the shutdown; the difference is exact.
 *
 * @param beginSeconds begin of the job
 * @param endSeconds end of the job
 */
record JobSpan(double beginSeconds, double endSeconds) {
    private static final double NS_PER_S = 1e9;

    /**
     * Returns the span of a job whose process has just ended.
     *
     * @param seconds duration of the job, as in its report
     */
    static JobSpan endingNow(double seconds) {
        double end = System.nanoTime() / NS_PER_S;
        return new JobSpan(end - seconds, end);
    }

    /** Returns the seconds from the first begin to the last end of at least one job. */
    static double seconds(List<JobSpan> jobs) {
        double begin = jobs.stream().mapToDouble(JobSpan::beginSeconds).min().orElseThrow();
        double end = jobs.stream().mapToDouble(JobSpan::endSeconds).max().orElseThrow();
        return end - begin;
    }
}
