package io.chimera.dataset.cluster;

/**
 * A submitted job.
 *
 * @param id identity
 * @param definition text of the job's file; names of secrets are not replaced
 * @param wish present wish of the operator
 * @param attempt 1 at first; increases when a failed job is run again, so that earlier failures do not count
 */
public record JobOrder(JobId id, String definition, JobWish wish, int attempt) {
    /** Maximum length of a definition in bytes of UTF-8. */
    public static final int DEFINITION_MAX = 256 << 10;

    /**
     * Returns the order with another wish.
     *
     * @param other the wish
     */
    public JobOrder with(JobWish other) {
        return new JobOrder(id, definition, other, attempt);
    }

    /** Returns the order for another attempt of a failed job. */
    public JobOrder again() {
        return new JobOrder(id, definition, JobWish.RUN, attempt + 1);
    }
}
