package io.chimera.dataset.cluster;

/**
 * Counts of a job, each result once.
 *
 * @param splits number of splits; 0 before the plan
 * @param splitsDone splits with a result, skipped ones excluded
 * @param splitsSkipped splits without rows, because they or a split before them are bad; 0 before all splits are
 *     computed or bad
 * @param ranges number of ranges of windows; 0 before all splits have results
 * @param rangesDone ranges whose rows are stored
 * @param bytes length of the splits with a result in bytes, skipped ones excluded
 * @param points points accepted
 * @param rejected events rejected
 * @param windows windows with rows
 * @param rows rows stored
 * @param leftOut rows without a finite value, or whose plugin failed
 */
public record JobTotals(
        int splits,
        int splitsDone,
        int splitsSkipped,
        int ranges,
        int rangesDone,
        long bytes,
        long points,
        long rejected,
        int windows,
        long rows,
        long leftOut) {}
