package io.chimera.dataset.job;

/**
 * Maximum number of splits of a job.
 *
 * @param splitsMax maximum number of splits
 * @param reason what sets the limit, with the remedy
 */
public record SplitLimit(int splitsMax, String reason) {
    /** Maximum number of splits of any job. */
    private static final int SPLITS_MAX = 2_000_000;

    /** Memory of a split at the leader of a job: its place in the plan, in the reports, and in a merge. */
    public static final int BYTES_PER_SPLIT = 500;

    private static final String REMEDY = "use a larger split, or several jobs with fewer objects each";

    /** Limit of every job. */
    static final SplitLimit OF_JOB = new SplitLimit(SPLITS_MAX, REMEDY);

    /**
     * Returns the limit of a job of a cluster.
     *
     * @param bytes memory for the splits of a job at a node
     */
    public static SplitLimit ofMemory(long bytes) {
        long splits = bytes / BYTES_PER_SPLIT;
        return splits >= SPLITS_MAX
                ? OF_JOB
                : new SplitLimit(
                        (int) splits,
                        "a split needs " + BYTES_PER_SPLIT + " bytes at the leader, and datasets.memory of the node is "
                                + (bytes >> 20) + "MiB; " + REMEDY + ", or ask the operator for more memory");
    }
}
