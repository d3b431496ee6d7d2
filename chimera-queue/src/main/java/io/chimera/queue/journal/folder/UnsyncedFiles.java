package io.chimera.queue.journal.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files with a failed sync. After a failed sync the kernel marks pages as clean although the pages never reached the
 * disk. The pages stay readable, and the next sync of the file succeeds, until the machine goes down and the pages are
 * lost. So the node marks the file and stops. The next start rewrites a marked file under a new inode with a new sync,
 * before any record of the file counts as durable. The mark lives in the same page cache as the affected pages: after a
 * crash of the machine both may be lost, and a read then returns the data on disk.
 *
 * <pre>
 *   20260521-101500T.cq4
 *   20260521-101500T.cq4.unsynced    the mark
 *   20260521-101500T.cq4.rewrite     the file during the rewrite, before the rename
 * </pre>
 */
public final class UnsyncedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(UnsyncedFiles.class);
    private static final String MARK = ".unsynced";
    private static final String REWRITE = ".rewrite";
    private static final int CHUNK = 1 << 20;

    private final JournalDisk disk;

    public UnsyncedFiles(JournalDisk disk) {
        this.disk = disk;
    }

    /** Marks a file after a failed sync. */
    public static void mark(Path file) throws IOException {
        Files.write(beside(file, MARK), new byte[0]);
    }

    public static boolean isMarked(Path file) {
        return Files.exists(beside(file, MARK));
    }

    /** Deletes mark and rewrite of a deleted file. */
    static void forget(Path file) throws IOException {
        Files.deleteIfExists(beside(file, MARK));
        Files.deleteIfExists(beside(file, REWRITE));
    }

    private static Path beside(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    /** Makes the files of earlier starts durable before they count as durable. */
    public void settle(JournalDirectory directory) throws IOException {
        for (Path start : directory.starts()) {
            for (Path file : JournalDirectory.files(start)) {
                settle(file);
            }
        }
    }

    /**
     * Makes all readable data of a file durable.
     *
     * @throws IOException when the disk refuses: then no record of the file may count as durable
     */
    private void settle(Path file) throws IOException {
        if (!isMarked(file) && sync(file)) {
            return;
        }
        LOG.warn("Rewriting journal file {}: an earlier sync failed, so the file may not be on the disk.", file);
        rewrite(file);
        forget(file);
    }

    private boolean sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            disk.force(channel);
            return true;
        } catch (IOException e) {
            LOG.error("Journal file {} cannot be synced: {}.", file, e.toString());
            mark(file);
            return false;
        }
    }

    private void rewrite(Path file) throws IOException {
        Path again = beside(file, REWRITE);
        try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
                FileChannel to = FileChannel.open(
                        again,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            copy(from, to);
            disk.force(to);
        }
        Files.move(again, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        JournalDirectory.syncFolderOf(file);
    }

    /** Copies the data and leaves holes in place of zeros, because the files are sparse. */
    private void copy(FileChannel from, FileChannel to) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        ByteBuffer zeros = ByteBuffer.allocate(CHUNK);
        long size = from.size();
        for (long position = 0; position < size; position += CHUNK) {
            chunk.clear();
            while (chunk.hasRemaining() && from.read(chunk, position + chunk.position()) >= 0) {
                // read until the chunk is full or the file ends
            }
            chunk.flip();
            boolean isLast = position + CHUNK >= size;
            if (isLast || chunk.mismatch(zeros.clear().limit(chunk.limit())) >= 0) {
                write(to, chunk, position);
            }
        }
    }

    private void write(FileChannel to, ByteBuffer chunk, long position) throws IOException {
        long at = position;
        while (chunk.hasRemaining()) {
            at += disk.write(to, chunk, at);
        }
    }
}
