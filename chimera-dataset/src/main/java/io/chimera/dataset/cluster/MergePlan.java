package io.chimera.dataset.cluster;

import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Plan of the merges that make the rows of a job, decided once all splits are computed or bad: the ranges of windows,
 * the splits without rows, and the counts of the splits with rows. All merges of the job follow the same plan, so they
 * leave the same splits out. The counts outlive the reports of workers that leave.
 *
 * @param ranges ranges of windows by number, without gaps and overlaps
 * @param skipped bad splits, ordered by number
 * @param computed counts of the other splits
 */
public record MergePlan(List<WindowSpan> ranges, List<SkippedSpan> skipped, SplitTotals computed) {
    /** The plan before all splits are computed. */
    public static final MergePlan NONE = new MergePlan(List.of(), List.of(), SplitTotals.NONE);

    /** Maximum number of ranges: the plan is one record of the board. */
    public static final int RANGES_MAX = 256;

    /** Maximum number of bad splits of a job: the plan is one record of the board. */
    public static final int SKIPPED_MAX = 5_000;

    /** Upper limit of the number of splits: a set of the skipped ones is kept in memory. */
    private static final int SPLITS_LIMIT = 50_000_000;

    /**
     * Copies the lists, and checks them.
     *
     * @param ranges at most {@link #RANGES_MAX}, ascending, without overlaps
     * @param skipped at most {@link #SKIPPED_MAX}
     * @param computed any counts
     */
    public MergePlan {
        ranges = List.copyOf(ranges);
        skipped = List.copyOf(skipped);
        if (ranges.size() > RANGES_MAX || !areAscending(ranges)) {
            throw new IllegalArgumentException(ranges.size() + " ranges of windows; expected at most " + RANGES_MAX
                    + ", ascending, without overlaps");
        }
        if (skipped.size() > SKIPPED_MAX || skipped.stream().anyMatch(span -> span.end() > SPLITS_LIMIT)) {
            throw new IllegalArgumentException(skipped.size() + " bad splits; expected at most " + SKIPPED_MAX
                    + ", with numbers of at most " + SPLITS_LIMIT);
        }
    }

    private static boolean areAscending(List<WindowSpan> ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).isEmpty()
                    || (i > 0 && ranges.get(i).fromNs() < ranges.get(i - 1).toNs())) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a split has no rows, by number. */
    public IntPredicate leavesOut() {
        return numbers()::get;
    }

    /** Returns the number of splits without rows. */
    public int splitsSkipped() {
        return numbers().cardinality();
    }

    private BitSet numbers() {
        BitSet numbers = new BitSet();
        skipped.forEach(span -> numbers.set(span.split(), span.end()));
        return numbers;
    }
}
