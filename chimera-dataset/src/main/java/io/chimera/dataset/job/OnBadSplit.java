package io.chimera.dataset.job;

/** Treatment of a split that is damaged, changed or gone. */
public enum OnBadSplit {
    /** The job ends; its next run reads the split again. */
    FAIL,
    /** The job continues without the split, and reports the split. */
    SKIP
}
