package io.chimera.queue.journal;

/**
 * Size and age of a roll file that start the next roll file. The journal is truncated by whole files.
 *
 * @param bytes maximum size
 * @param ms maximum age
 */
public record RollLimits(long bytes, long ms) {
    /**
     * Half a second of a fast node, 100 MB/s x 0.6 s: small enough for early deletion, large enough for a small number
     * of files.
     */
    private static final long BYTES_USUAL = 64L << 20;

    /** A roll file must fit at least one batch of maximum size and Chronicle's own structures. */
    private static final long BYTES_MIN = 1L << 20;

    /** Chronicle numbers at most 16 M excerpts of a file, and the smallest excerpt has some 100 bytes. */
    private static final long BYTES_MAX = 1L << 30;

    /** Checks the bounds. */
    public RollLimits {
        if (bytes < BYTES_MIN || bytes > BYTES_MAX || ms < 1) {
            throw new IllegalArgumentException("A journal needs roll files of 1 MiB to 1 GiB and a positive age, not "
                    + bytes + " bytes and " + ms + " ms.");
        }
    }

    /** Returns the limits for a journal of a size: 64 MiB, or an eighth of a smaller journal. */
    public static RollLimits within(DiskLimits disk, long ms) {
        return new RollLimits(Math.max(BYTES_MIN, Math.min(BYTES_USUAL, disk.bytesMax() / 8)), ms);
    }
}
