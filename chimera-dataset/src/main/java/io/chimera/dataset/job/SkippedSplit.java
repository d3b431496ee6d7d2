package io.chimera.dataset.job;

import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.source.SourceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A split without rows: its place, the reason, and what follows for the splits after it.
 *
 * @param split number of the split
 * @param object path of the object
 * @param from offset of the first byte in the object
 * @param to offset after the last byte
 * @param reason short name of the reason: {@code damaged}, a fault of the source in lower case, or {@link
 *     #AFTER_SKIPPED}
 * @param message defect and remedy
 * @param takesFollowing whether the splits after this one in the object are left out as well, because only the reader
 *     of this split could prove their borders
 */
public record SkippedSplit(
        int split, String object, long from, long to, String reason, String message, boolean takesFollowing) {
    /** Reason of a split that is left out because a split before it was skipped. */
    public static final String AFTER_SKIPPED = "after_skipped";

    /** Marks of the bad splits of a job. */
    @FunctionalInterface
    public interface Marks {
        /**
         * Returns the mark of a split.
         *
         * @param split the split
         * @return empty for a split without a mark
         * @throws IOException when the marks cannot be read
         */
        Optional<SkippedSplit> of(Split split) throws IOException;
    }

    /**
     * Marks a split.
     *
     * @param split the split
     * @param reason short name of the reason
     * @param message defect and remedy
     * @param takesFollowing whether the later splits of the object are left out as well
     */
    public static SkippedSplit of(Split split, String reason, String message, boolean takesFollowing) {
        return new SkippedSplit(
                split.number(),
                split.object().path(),
                split.range().from(),
                split.range().to(),
                reason,
                message,
                takesFollowing);
    }

    /**
     * Returns the reason to skip a split after a failure.
     *
     * @param failure failure of the reader of the split
     * @return short name; empty for a failure that may end with the next attempt, or is local
     */
    public static Optional<String> reason(IOException failure) {
        if (failure instanceof FormatException) {
            return Optional.of("damaged");
        }
        return failure instanceof SourceException source && source.fault().mayConcernObjectAlone()
                ? Optional.of(source.fault().name().toLowerCase(Locale.ROOT))
                : Optional.empty();
    }

    /**
     * Lists the splits without rows.
     *
     * @param plan the plan
     * @param marks marks of the bad splits
     * @return bad splits, and the splits that a bad split takes along, ordered by number
     * @throws IOException when a mark cannot be read
     */
    public static List<SkippedSplit> list(JobPlan plan, Marks marks) throws IOException {
        List<SkippedSplit> list = new ArrayList<>();
        SkippedSplit taking = null;
        for (Split split : plan.splits()) {
            if (taking != null && !taking.object().equals(split.object().path())) {
                taking = null;
            }
            Optional<SkippedSplit> marked = marks.of(split);
            if (marked.isPresent()) {
                list.add(marked.get());
                taking = taking == null && marked.get().takesFollowing() ? marked.get() : taking;
            } else if (taking != null) {
                list.add(of(
                        split,
                        AFTER_SKIPPED,
                        "split " + taking.split() + " of the same object is skipped, and its reader alone could prove"
                                + " where this split begins; repair the object",
                        true));
            }
        }
        return list;
    }
}
