package io.chimera.dataset.job;

/**
 * Rules for bad input.
 *
 * @param onBadSplit treatment of a split that is damaged, changed or gone
 * @param rejects bounds of the rejected events that are kept
 */
public record BadInput(OnBadSplit onBadSplit, RejectLimits rejects) {
    /** A bad split ends the job. */
    public static final BadInput DEFAULT = new BadInput(OnBadSplit.FAIL, RejectLimits.DEFAULT);
}
