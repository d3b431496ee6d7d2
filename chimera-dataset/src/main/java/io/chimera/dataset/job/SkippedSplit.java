package io.chimera.dataset.job;

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
record SkippedSplit(
        int split, String object, long from, long to, String reason, String message, boolean takesFollowing) {
    /** Reason of a split that is left out because a split before it was skipped. */
    static final String AFTER_SKIPPED = "after_skipped";

    static SkippedSplit of(Split split, String reason, String message, boolean takesFollowing) {
        return new SkippedSplit(
                split.number(),
                split.object().path(),
                split.range().from(),
                split.range().to(),
                reason,
                message,
                takesFollowing);
    }
}
