package io.chimera.dataset.job;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Skips bad splits. A skipped split has a durable mark in the folder of the job, made before any row is stored, so that
 * each run of the job leaves the same splits out. Any thread.
 */
final class BadSplits {
    private final JobFolder folder;
    private final JobInput input;

    BadSplits(JobFolder folder, JobInput input) {
        this.folder = folder;
        this.input = input;
    }

    /**
     * Skips a split after a failure, if the rule of the job permits.
     *
     * @return whether the split is skipped; false for a failure that ends the job
     * @throws IOException when the mark cannot be written
     */
    boolean skip(Split split, IOException failure) throws IOException {
        Optional<String> reason = SkippedSplit.reason(failure);
        if (input.badInput().onBadSplit() == OnBadSplit.FAIL || reason.isEmpty()) {
            return false;
        }
        boolean takesFollowing =
                !input.format().hasIndependentSplits(split.object().path());
        folder.skip(SkippedSplit.of(split, reason.get(), String.valueOf(failure.getMessage()), takesFollowing));
        return true;
    }

    /**
     * Lists the splits without rows, after all splits are computed or skipped.
     *
     * @return skipped splits, and the splits that a skipped split takes along, ordered by number
     * @throws JobException when no split is left
     * @throws IOException when a mark cannot be read
     */
    List<SkippedSplit> list(JobPlan plan) throws IOException {
        List<SkippedSplit> list = SkippedSplit.list(plan, split -> folder.skipped(split.number()));
        if (list.size() == plan.splits().size()) {
            throw new JobException(
                    "all " + list.size() + " splits are bad; the first one: "
                            + list.get(0).message() + ". After the repair, delete the folder " + folder.path()
                            + " to begin again.",
                    null);
        }
        return list;
    }
}
