package io.chimera.queue.journal;

import java.nio.file.Path;

/**
 * Location, durability and size of a journal.
 *
 * @param directory folder of the journal only; created if missing
 * @param sync sync policy, decides when a record counts as durable
 * @param syncEveryMs maximum wait for a sync under {@link SyncPolicy#INTERVAL}
 * @param bytesMax maximum bytes of the journal on disk; a larger journal refuses appends
 * @param fileBytes size of a roll file that starts the next roll file; the journal is truncated by whole files
 * @param fileMs age of a roll file that starts the next roll file
 * @param reserveBytes minimum free bytes of the disk; with less the journal refuses appends; 0 uses all free bytes
 * @param retainMs retention of fully committed files for replays; 0 for none
 * @param retainBytes maximum bytes of such files; retained files are deleted early when new records need the room
 */
public record JournalSettings(
        Path directory,
        SyncPolicy sync,
        long syncEveryMs,
        long bytesMax,
        long fileBytes,
        long fileMs,
        long reserveBytes,
        long retainMs,
        long retainBytes) {
    /**
     * Half a second of a fast node, 100 MB/s x 0.6 s: small enough for early deletion, large enough for a small number
     * of files.
     */
    private static final long FILE_BYTES_USUAL = 64L << 20;

    /** A roll file must fit at least one batch of maximum size and Chronicle's own structures. */
    private static final long FILE_BYTES_MIN = 1L << 20;

    /** Chronicle numbers at most 16 M excerpts of a file, and the smallest excerpt has some 100 bytes. */
    private static final long FILE_BYTES_MAX = 1L << 30;

    /**
     * Minimum number of roll files within {@code bytesMax}. The journal deletes whole files only, so a journal of
     * fewer files would be either full or empty.
     */
    private static final int FILES_MIN = 4;

    /** Checks the bounds. */
    public JournalSettings {
        if (syncEveryMs < 1 || fileMs < 1 || reserveBytes < 0 || retainMs < 0 || retainBytes < 0) {
            throw new IllegalArgumentException("A journal needs positive times and a reserve of 0 or more, not "
                    + syncEveryMs + " ms, " + fileMs + " ms, " + reserveBytes + " bytes; nor does it retain " + retainMs
                    + " ms, " + retainBytes + " bytes.");
        }
        if (fileBytes < FILE_BYTES_MIN || fileBytes > FILE_BYTES_MAX || bytesMax < FILES_MIN * fileBytes) {
            throw new IllegalArgumentException("A journal needs roll files of 1 MiB to 1 GiB and room for " + FILES_MIN
                    + " of them, not files of " + fileBytes + " bytes in " + bytesMax + ".");
        }
    }

    /** Uses roll files of 64 MiB, or of an eighth of a smaller journal, without retention. */
    public JournalSettings(
            Path directory, SyncPolicy sync, long syncEveryMs, long bytesMax, long fileMs, long reserveBytes) {
        this(
                directory,
                sync,
                syncEveryMs,
                bytesMax,
                Math.max(FILE_BYTES_MIN, Math.min(FILE_BYTES_USUAL, bytesMax / 8)),
                fileMs,
                reserveBytes);
    }

    /** Uses no retention. */
    public JournalSettings(
            Path directory,
            SyncPolicy sync,
            long syncEveryMs,
            long bytesMax,
            long fileBytes,
            long fileMs,
            long reserveBytes) {
        this(directory, sync, syncEveryMs, bytesMax, fileBytes, fileMs, reserveBytes, 0, 0);
    }

    /** Returns the same settings with retention beyond the commit. */
    public JournalSettings retaining(long ms, long bytes) {
        return new JournalSettings(directory, sync, syncEveryMs, bytesMax, fileBytes, fileMs, reserveBytes, ms, bytes);
    }
}
