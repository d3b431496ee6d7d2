package io.chimera.dataset.cluster;

/**
 * Counts of the computed splits of a job, each split once.
 *
 * @param splits number of splits
 * @param bytes length of the splits in bytes
 * @param points points accepted
 * @param rejected events rejected
 */
public record SplitTotals(int splits, long bytes, long points, long rejected) {
    /** No splits. */
    public static final SplitTotals NONE = new SplitTotals(0, 0, 0, 0);
}
