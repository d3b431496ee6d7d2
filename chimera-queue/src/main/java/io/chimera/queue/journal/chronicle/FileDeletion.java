package io.chimera.queue.journal.chronicle;

import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.index.JournalIndex;
import io.chimera.queue.journal.index.RollFile;
import io.chimera.queue.journal.retention.FileArchiver;
import io.chimera.queue.journal.retention.FileRemover;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes files of the journal, in the background or at once. The journaler's thread. */
final class FileDeletion {
    private static final Logger LOG = LoggerFactory.getLogger(FileDeletion.class);

    private final JournalDirectory directory;
    private final CurrentFile current;
    private final JournalIndex index;
    private final FileRemover remover;
    private final FileArchiver archiver;

    FileDeletion(
            JournalDirectory directory,
            CurrentFile current,
            JournalIndex index,
            FileRemover remover,
            FileArchiver archiver) {
        this.directory = directory;
        this.current = current;
        this.index = index;
        this.remover = remover;
        this.archiver = archiver;
    }

    /**
     * Deletes files in the background, as soon as the archive has the files.
     *
     * @param surplus expired files, oldest first
     * @param cycles notes of the cycles of a file
     */
    void deleteArchived(List<RollFile> surplus, Function<RollFile, String> cycles) {
        for (RollFile file : archiver.settled(surplus, cycles)) {
            index.forget(file);
            remover.remove(file, current.folder());
        }
    }

    /** Deletes a file at once, archived or not, because senders wait for the room; false when the disk refuses. */
    boolean deleteNow(RollFile file) {
        try {
            if (current.is(file)) {
                current.replaceQueue();
            }
            archiver.goes(file);
            directory.letGo(file);
            index.forget(file);
            Path start = file.folder();
            if (!start.equals(current.folder())) {
                JournalDirectory.deleteIfLeft(start);
            }
            return true;
        } catch (IOException e) {
            LOG.error("Cannot delete expired journal file {}: {}.", file, e.toString());
            return false;
        }
    }
}
