package io.chimera.dataset.cluster;

/**
 * A skipped split of a job, and the splits that it takes along.
 *
 * @param split number of the bad split
 * @param end number after the last split that is left out because of this one; {@code split + 1} for none
 * @param fault short name of the fault
 */
public record SkippedSpan(int split, int end, String fault) {
    /** Maximum length of the name of a fault in characters. */
    public static final int FAULT_MAX = 40;

    /**
     * Checks the values.
     *
     * @param split at least 0
     * @param end above {@code split}
     * @param fault at most {@link #FAULT_MAX} characters
     */
    public SkippedSpan {
        if (split < 0 || end <= split || fault.length() > FAULT_MAX) {
            throw new IllegalArgumentException("skipped splits from " + split + " to " + end + ", fault of "
                    + fault.length() + " characters; expected an end after the begin, and at most " + FAULT_MAX
                    + " characters");
        }
    }
}
