package io.chimera.queue.journal.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.folder.JournalDisk;
import io.chimera.queue.journal.offline.JournalRepair;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal that has lost records, or may have lost some, must not keep its identity. */
final class LostRecordsTest {
    private static final long A = 0xA;

    @TempDir
    private Path folder;

    private final FailingDisk disk = new FailingDisk();
    private final Batches batches = new Batches();

    @Test
    void aRepairThatCutsOffRecordsReplacesTheIdentity() throws IOException {
        long before = write(SyncPolicy.BATCH);
        damageTheNewestFile();

        assertThat(JournalRepair.of(folder)).hasSize(1);

        try (ChronicleJournal journal = open(SyncPolicy.BATCH)) {
            assertThat(journal.damages()).isZero();
            assertThat(journal.identity().id()).isNotEqualTo(before);
            assertThat(journal.identity().replaced()).containsExactly(before);
        }
    }

    @Test
    void aRepairWithoutDamageKeepsTheIdentity() {
        long before = write(SyncPolicy.BATCH);

        assertThat(JournalRepair.of(folder)).isEmpty();

        assertThat(id(SyncPolicy.BATCH)).isEqualTo(before);
    }

    @Test
    void aRestartOfTheMachineReplacesTheIdentityOfAJournalWithoutSyncs() {
        long first = write(SyncPolicy.NONE);
        assertThat(id(SyncPolicy.NONE)).as("a restart of the process").isEqualTo(first);

        disk.restart(Optional.of("boot 2"));
        long second = id(SyncPolicy.NONE);

        assertThat(second).isNotEqualTo(first);
        assertThat(id(SyncPolicy.NONE)).isEqualTo(second);
    }

    /** The records of the earlier start were not synced. */
    @Test
    void aRestartOfTheMachineReplacesTheIdentityAlsoIfTheJournalSyncsNow() {
        long first = write(SyncPolicy.NONE);

        disk.restart(Optional.of("boot 2"));

        assertThat(id(SyncPolicy.BATCH)).isNotEqualTo(first);
    }

    @Test
    void aRestartOfTheMachineKeepsTheIdentityOfASyncedJournal() {
        long first = write(SyncPolicy.NONE);
        assertThat(id(SyncPolicy.BATCH))
                .as("this start syncs the earlier records")
                .isEqualTo(first);

        disk.restart(Optional.of("boot 2"));

        assertThat(id(SyncPolicy.BATCH)).isEqualTo(first);
    }

    @Test
    void aSystemWithoutANameOfItsBootKeepsTheIdentity() {
        disk.restart(Optional.empty());

        long first = write(SyncPolicy.NONE);

        assertThat(id(SyncPolicy.NONE)).isEqualTo(first);
    }

    @Test
    void theBootOfThisMachineDoesNotChange() {
        assertThat(JournalDisk.SYSTEM.boot()).isEqualTo(JournalDisk.SYSTEM.boot());
        assertThat(JournalDisk.SYSTEM.boot().isPresent()).isEqualTo(Files.isReadable(JournalDisk.BOOT));
    }

    private long write(SyncPolicy sync) {
        try (ChronicleJournal journal = open(sync)) {
            for (long seq = 1; seq <= 5; seq++) {
                assertThat(batches.append(journal, A, seq, 1, 60_000)).isEqualTo(Appended.OK);
            }
            return journal.identity().id();
        }
    }

    private long id(SyncPolicy sync) {
        try (ChronicleJournal journal = open(sync)) {
            return journal.identity().id();
        }
    }

    private ChronicleJournal open(SyncPolicy sync) {
        return ChronicleJournal.open(
                new JournalSettings(
                        folder,
                        new SyncSchedule(sync, 100),
                        new DiskLimits(1L << 30, 0),
                        new RollLimits(1 << 20, 60_000)),
                "q1",
                new ManualClock(),
                disk);
    }

    /** Changes a byte of the fourth of five batches. */
    private void damageTheNewestFile() throws IOException {
        List<Path> starts = JournalDirectory.starts(folder);
        List<Path> files = JournalDirectory.files(starts.get(starts.size() - 1));
        try (RandomAccessFile file =
                new RandomAccessFile(files.get(files.size() - 1).toFile(), "rw")) {
            long offset = 200_000;
            file.seek(offset);
            int old = file.read();
            file.seek(offset);
            file.write(old ^ 0x10);
        }
    }
}
