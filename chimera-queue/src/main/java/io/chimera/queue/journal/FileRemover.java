package io.chimera.queue.journal;

import io.chimera.common.agent.Chores;
import io.chimera.common.agent.Clock;
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
 * Deletes files of the journal that nothing refers to any more, while the journal goes on. One that cannot be deleted is tried
 * again with the next; the next start finds it in any case.
 *
 * <p>A file loses its name first and its blocks piece by piece. Where the file system tells the disk of every block that is
 * free (mounted with {@code discard}), 64 MiB at once keep the disk for 80 to 95 ms, and a sync that senders wait for takes as
 * long; a piece takes some 3 ms, and between two of them the disk is left alone. A reader that is still in the file finds
 * its end; it looks for nothing there that is not committed.
 */
final class FileRemover {
    private static final Logger LOG = LoggerFactory.getLogger(FileRemover.class);

    /** Taken from a file at a time: long enough that the call does not count, short beside the interval of syncs. */
    private static final long PIECE_BYTES = 2L << 20;

    /** So much of the time that a piece took the disk is left alone: 64 MiB are gone after 120 to 140 ms. */
    private static final double REST = 0.5;

    private final JournalDirectory directory;
    private final Chores chores;
    private final Clock clock;

    /** The chores' alone. */
    private final Deque<RollFile> left = new ArrayDeque<>();

    FileRemover(JournalDirectory directory, Chores chores, Clock clock) {
        this.directory = directory;
        this.chores = chores;
        this.clock = clock;
    }

    /**
     * Deletes a file, and what lies beside it once all files of its start are gone.
     *
     * @param writtenFolder of the start that is being written
     */
    void remove(RollFile file, Path writtenFolder) {
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
            Path start = file.path().getParent();
            if (!start.equals(writtenFolder)) {
                JournalDirectory.deleteIfLeft(start);
            }
        } catch (IOException e) {
            LOG.error("Journal file {} is not needed any more and cannot be deleted: {}.", file, e.toString());
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

    /** Whatever it does not come to, the kernel does when the last reader closes the file. */
    private void shrink(FileChannel blocks) {
        try {
            for (long size = blocks.size(); size > PIECE_BYTES; size -= PIECE_BYTES) {
                long begunNs = clock.nanoTime();
                blocks.truncate(size - PIECE_BYTES);
                chores.rest((long) ((clock.nanoTime() - begunNs) * REST));
            }
        } catch (IOException e) {
            LOG.debug("The blocks of a deleted journal file go at once: {}.", e.toString());
        }
    }
}
