package io.chimera.dataset.cluster;

/**
 * Wish of the operator for a job.
 *
 * <pre>
 * from  event                   to
 * RUN   dataset stop            STOP
 * STOP  dataset run, once more  RUN
 * </pre>
 */
public enum JobWish {
    /** Workers take splits and ranges of the job. */
    RUN,
    /** Workers keep the results and take no work. */
    STOP
}
