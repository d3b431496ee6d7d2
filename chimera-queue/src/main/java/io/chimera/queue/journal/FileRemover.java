package io.chimera.queue.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes files of the journal that nothing refers to any more, while the journal goes on: a file of 64 MiB takes ten
 * milliseconds. One that cannot be deleted is tried again with the next; the next start finds it in any case.
 */
final class FileRemover {
    private static final Logger LOG = LoggerFactory.getLogger(FileRemover.class);

    private final JournalDirectory directory;
    private final Executor chores;

    /** The chores' alone. */
    private final Deque<RollFile> left = new ArrayDeque<>();

    FileRemover(JournalDirectory directory, Executor chores) {
        this.directory = directory;
        this.chores = chores;
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
            directory.letGo(file);
            Path start = file.path().getParent();
            if (!start.equals(writtenFolder)) {
                JournalDirectory.deleteIfLeft(start);
            }
        } catch (IOException e) {
            LOG.error("Journal file {} is not needed any more and cannot be deleted: {}.", file, e.toString());
            left.add(file);
        }
    }
}
