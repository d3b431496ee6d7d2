package io.chimera.queue.journal;

import java.nio.file.Path;

/**
 * Where a journal lies, how durable and how large it is.
 *
 * @param directory holds the journal and nothing else; made when it is missing
 * @param sync when a record counts as durable
 * @param syncEveryMs the longest wait for a sync under {@link SyncPolicy#INTERVAL}
 * @param bytesMax the most bytes the journal may have on disk; beyond it an append is refused
 * @param fileBytes a roll file that has reached this size is followed by the next: the piece in which a journal is let go
 * @param fileMs a roll file that is older is followed by the next, too
 * @param reserveBytes what must stay free on the disk; below it an append is refused; 0 uses up what there is
 * @param retainMs how long a file stays when everything in it is committed, for replays; 0 for not at all
 * @param retainBytes the most bytes of such files; what they take is given up where new records need it
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
    /** Half a second of a fast node, 100 MB/s x 0.6 s: small enough to be let go of soon, large enough to be few. */
    private static final long FILE_BYTES_USUAL = 64L << 20;

    /** A roll file holds at least one batch of any size and Chronicle's own structures. */
    private static final long FILE_BYTES_MIN = 1L << 20;

    /** Chronicle numbers at most 16 M excerpts of a file, and the smallest has some 100 bytes. */
    private static final long FILE_BYTES_MAX = 1L << 30;

    /** Only whole files are let go of, so a journal of fewer would be full or empty. */
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

    /** With roll files of 64 MiB, or an eighth of the journal where that is less; retains nothing. */
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

    /** Retains nothing. */
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

    /** The same journal, with so much retained beyond the commit. */
    public JournalSettings retaining(long ms, long bytes) {
        return new JournalSettings(directory, sync, syncEveryMs, bytesMax, fileBytes, fileMs, reserveBytes, ms, bytes);
    }
}
