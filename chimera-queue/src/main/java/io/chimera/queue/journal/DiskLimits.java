package io.chimera.queue.journal;

/**
 * Disk space of a journal. Beyond a limit the journal refuses appends.
 *
 * @param bytesMax maximum bytes of the journal on disk
 * @param reserveBytes minimum free bytes of the disk; 0 uses all free bytes
 */
public record DiskLimits(long bytesMax, long reserveBytes) {
    /** Checks the reserve. */
    public DiskLimits {
        if (reserveBytes < 0) {
            throw new IllegalArgumentException(
                    "A journal needs a reserve of 0 or more, not " + reserveBytes + " bytes.");
        }
    }
}
