package io.chimera.queue.journal.retention;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SerialExecutor;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.index.RollFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes unreferenced journal files while the journal keeps running. A failed deletion is retried with the next file,
 * and at the latest by the next start.
 *
 * <p>The remover first unlinks a file, then frees its blocks piece by piece. On a file system mounted with {@code
 * discard}, the file system reports every free block to the disk. 64 MiB at once then occupy the disk for 80 to 95 ms,
 * and a sync with waiting senders takes as long. A piece takes some 3 ms, with a pause between two pieces. A reader
 * still in the file reaches an early end; such a reader wants only committed records.
 */
public final class FileRemover {
    private static final Logger LOG = LoggerFactory.getLogger(FileRemover.class);

    /**
     * Bytes freed at a time: large enough to amortize the system call, and short compared with the interval of syncs.
     */
    private static final long PIECE_BYTES = 2L << 20;

    /** Pause after a piece, as a fraction of the time of the piece: 64 MiB are freed within 120 to 140 ms. */
    private static final double REST = 0.5;

    private final JournalDirectory directory;
    private final SerialExecutor chores;
    private final Clock clock;

    /** Files to delete; accessed by the chores only. */
    private final Deque<RollFile> left = new ArrayDeque<>();

    public FileRemover(JournalDirectory directory, SerialExecutor chores, Clock clock) {
        this.directory = directory;
        this.chores = chores;
        this.clock = clock;
    }

    /**
     * Deletes a file, and the folder of its start after the last file of the start.
     *
     * @param writtenFolder folder of the current start
     */
    public void remove(RollFile file, Path writtenFolder) {
        chores.execute(() -> {
            left.add(file);
            for (int i = left.size(); i > 0; i--) {
                delete(left.remove(), writtenFolder);
            }
        });
    }

    private void delete(RollFile file, Path writtenFolder) {
        try {
            letGo(file);
            Path start = file.folder();
            if (!start.equals(writtenFolder)) {
                JournalDirectory.deleteIfLeft(start);
            }
        } catch (IOException e) {
            LOG.error("Cannot delete expired journal file {}: {}. The deletion is retried.", file, e.toString());
            left.add(file);
        }
    }

    private void letGo(RollFile file) throws IOException {
        if (file.isDamaged() || !Files.exists(file.path())) {
            directory.letGo(file);
            return;
        }
        try (FileChannel blocks = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
            directory.letGo(file);
            shrink(blocks);
        }
    }

    /**
     * Frees the blocks piece by piece. After an error, the kernel frees the remaining blocks when the last reader
     * closes the file.
     */
    private void shrink(FileChannel blocks) {
        try {
            for (long size = blocks.size(); size > PIECE_BYTES; size -= PIECE_BYTES) {
                long begunNs = clock.nanoTime();
                blocks.truncate(size - PIECE_BYTES);
                chores.rest((long) ((clock.nanoTime() - begunNs) * REST));
            }
        } catch (IOException e) {
            LOG.debug("Cannot free the blocks of a deleted journal file piece by piece: {}.", e.toString());
        }
    }
}
