package io.chimera.dataset.cluster;

/**
 * End of a job.
 *
 * @param attempt attempt of the order that ended
 * @param kind how the job ended
 * @param reason why the job failed; empty for a job that is done
 * @param totals counts of the done work
 */
public record JobOutcome(int attempt, Kind kind, String reason, JobTotals totals) {
    /** How a job ended. */
    public enum Kind {
        /** All rows are stored. */
        DONE,
        /** The job cannot go on. */
        FAILED
    }
}
