package io.chimera.queue.journal;

import io.chimera.common.cluster.JournalGroup;
import java.nio.file.Path;

/**
 * Location, durability and size of a journal.
 *
 * @param directory folder of the journal only; created if missing
 * @param sync policy and timing of syncs
 * @param disk disk space of the journal
 * @param roll limits of a roll file
 * @param retention retention of fully committed files
 * @param group journal group of the node; the folder keeps the streams of this group for ever
 */
public record JournalSettings(
        Path directory,
        SyncSchedule sync,
        DiskLimits disk,
        RollLimits roll,
        RetentionLimits retention,
        JournalGroup group) {
    /**
     * Minimum number of roll files within the disk space. The journal deletes whole files only, so a journal of fewer
     * files would be either full or empty.
     */
    private static final int FILES_MIN = 4;

    /** Checks the number of roll files. */
    public JournalSettings {
        if (disk.bytesMax() < FILES_MIN * roll.bytes()) {
            throw new IllegalArgumentException("A journal needs room for " + FILES_MIN + " roll files, not files of "
                    + roll.bytes() + " bytes in " + disk.bytesMax() + ".");
        }
    }

    /** Uses no retention, in the default group. */
    public JournalSettings(Path directory, SyncSchedule sync, DiskLimits disk, RollLimits roll) {
        this(directory, sync, disk, roll, RetentionLimits.NONE, JournalGroup.DEFAULT);
    }

    /** Returns the same settings with retention beyond the commit. */
    public JournalSettings retaining(long ms, long bytes) {
        return new JournalSettings(directory, sync, disk, roll, new RetentionLimits(ms, bytes), group);
    }

    /** Returns the same settings for a node of a journal group. */
    public JournalSettings in(JournalGroup other) {
        return new JournalSettings(directory, sync, disk, roll, retention, other);
    }
}
