package io.chimera.queue.journal.chronicle;

import io.chimera.queue.journal.folder.CycleFile;
import io.chimera.queue.journal.index.JournalIndex;
import io.chimera.queue.journal.index.RollFile;
import io.chimera.queue.journal.retention.LowWater;
import io.chimera.queue.journal.retention.Retention;
import java.util.List;

/**
 * Chooses the files to delete: files below the low-water mark whose retention has expired, and all files below the mark
 * without room for new records. The journaler's thread.
 */
final class ExpiredFiles {
    private final JournalIndex index;
    private final LowWater lowWater;
    private final CurrentFile current;
    private final Retention retention;
    private final FileDeletion deletion;
    private final CycleFile cycles;

    ExpiredFiles(
            JournalIndex index,
            LowWater lowWater,
            CurrentFile current,
            Retention retention,
            FileDeletion deletion,
            CycleFile cycles) {
        this.index = index;
        this.lowWater = lowWater;
        this.current = current;
        this.retention = retention;
        this.deletion = deletion;
        this.cycles = cycles;
    }

    /** Deletes the files below the mark whose retention has expired. */
    void deleteExpired() {
        List<RollFile> done =
                lowWater.filesBelow().stream().filter(file -> !current.is(file)).toList();
        deletion.deleteArchived(retention.surplus(done), this::cyclesOf);
    }

    /**
     * Deletes all files below the mark, including the current file: there may be no other file to delete. Returns
     * whether any file was deleted.
     */
    boolean deleteAll() {
        boolean isAnyGone = false;
        for (RollFile file : lowWater.filesBelow()) {
            isAnyGone |= deletion.deleteNow(file);
        }
        return isAnyGone;
    }

    /** Deletes the oldest file kept only by retention; false when there was no such file. */
    boolean giveUpOne() {
        for (RollFile file : lowWater.filesBelow()) {
            if (!current.is(file) && deletion.deleteNow(file)) {
                measure();
                return true;
            }
        }
        return false;
    }

    /** Recomputes the sizes of the files. */
    void measure() {
        index.files().measure(lowWater.mark());
    }

    /**
     * Notes of all cycles that began before the end of a file. The notes cover the past cycles whose records the file
     * may hold.
     */
    private String cyclesOf(RollFile file) {
        return cycles.lines(cycle -> file.beginsAnyOf(cycle.before(), cycle.cut()));
    }
}
