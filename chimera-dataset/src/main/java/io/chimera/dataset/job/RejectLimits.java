package io.chimera.dataset.job;

/**
 * Bounds of the rejected events that a job keeps. Further events are only counted.
 *
 * @param perSplit maximum number of events of a split
 * @param perJob maximum number of events of the job
 * @param textBytes maximum length of the text of an event in bytes
 */
public record RejectLimits(int perSplit, int perJob, int textBytes) {
    /** 1,000 events with 512 bytes of text each, and 100 events of a split. */
    public static final RejectLimits DEFAULT = new RejectLimits(100, 1_000, 512);

    /** Upper limit of the length of a text: the rejected events of a split are kept in memory. */
    private static final int TEXT_BYTES_LIMIT = 64 << 10;

    private static final int PER_SPLIT_LIMIT = 10_000;

    /**
     * Checks the values.
     *
     * @param perSplit 0 to 10,000
     * @param perJob at least 0
     * @param textBytes 0 to 64 KiB
     */
    public RejectLimits {
        if (perSplit < 0 || perSplit > PER_SPLIT_LIMIT || perJob < 0 || textBytes < 0 || textBytes > TEXT_BYTES_LIMIT) {
            throw new IllegalArgumentException("rejected events: " + perSplit + " per split, " + perJob
                    + " per job, with " + textBytes + " bytes of text; expected 0 to " + PER_SPLIT_LIMIT
                    + " per split, at least 0 per job, and 0 to " + TEXT_BYTES_LIMIT + " bytes");
        }
    }
}
