package io.chimera.dataset.job;

import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.source.SourceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
        Optional<String> reason = reason(failure);
        if (input.badInput().onBadSplit() == OnBadSplit.FAIL || reason.isEmpty()) {
            return false;
        }
        boolean takesFollowing =
                !input.format().hasIndependentSplits(split.object().path());
        folder.skip(SkippedSplit.of(split, reason.get(), String.valueOf(failure.getMessage()), takesFollowing));
        return true;
    }

    /** Returns the reason to skip a split; empty for a failure that may end with the next attempt, or is local. */
    static Optional<String> reason(IOException failure) {
        if (failure instanceof FormatException) {
            return Optional.of("damaged");
        }
        return failure instanceof SourceException source && source.fault().mayConcernObjectAlone()
                ? Optional.of(source.fault().name().toLowerCase(Locale.ROOT))
                : Optional.empty();
    }

    /**
     * Lists the splits without rows, after all splits are computed or skipped.
     *
     * @return skipped splits, and the splits that a skipped split takes along, ordered by number
     * @throws JobException when no split is left
     * @throws IOException when a mark cannot be read
     */
    List<SkippedSplit> list(JobPlan plan) throws IOException {
        List<SkippedSplit> list = new ArrayList<>();
        SkippedSplit taking = null;
        for (Split split : plan.splits()) {
            if (taking != null && !taking.object().equals(split.object().path())) {
                taking = null;
            }
            Optional<SkippedSplit> skipped = folder.skipped(split.number());
            if (skipped.isPresent()) {
                list.add(skipped.get());
                taking = taking == null && skipped.get().takesFollowing() ? skipped.get() : taking;
            } else if (taking != null) {
                list.add(SkippedSplit.of(
                        split,
                        SkippedSplit.AFTER_SKIPPED,
                        "split " + taking.split() + " of the same object is skipped, and its reader alone could prove"
                                + " where this split begins; repair the object",
                        true));
            }
        }
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
