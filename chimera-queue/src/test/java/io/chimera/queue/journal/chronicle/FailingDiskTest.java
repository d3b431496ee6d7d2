package io.chimera.queue.journal.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalContract;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.folder.UnsyncedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that failed to reach the disk never count as durable, neither in this run of the node nor in the next. */
final class FailingDiskTest {
    private static final String EIO = "Input/output error";
    private static final String ENOSPC = "No space left on device";
    private static final long A = 0xA;
    private static final int TEXT = 60_000;

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock();
    private final FailingDisk disk = new FailingDisk();
    private final Batches batches = new Batches();

    private ChronicleJournal open(SyncPolicy sync) {
        JournalSettings settings = new JournalSettings(
                folder, new SyncSchedule(sync, 100), new DiskLimits(1L << 30, 0), new RollLimits(1 << 20, 60_000));
        return ChronicleJournal.open(settings, "q1", clock, disk);
    }

    private Path onlyFile() throws IOException {
        List<Path> files = JournalDirectory.files(folder.resolve("00000001"));
        assertThat(files).hasSize(1);
        return files.get(0);
    }

    private void appendAndFailToSync(ChronicleJournal journal) {
        batches.append(journal, A, 1, 3);
        clock.advance(Duration.ofMillis(200));
        journal.sync();
        assertThat(journal.durable(A)).isEqualTo(3);
        batches.append(journal, A, 4, 2);
        clock.advance(Duration.ofMillis(200));
        disk.failForces(EIO);
        assertThatThrownBy(journal::sync)
                .isInstanceOfSatisfying(
                        ChimeraException.class, e -> assertThat(e.category()).isEqualTo(Category.FATAL))
                .hasMessageContaining("cannot be synced")
                .hasMessageContaining(EIO)
                .hasMessageContaining("restart the node");
        disk.failForces("");
    }

    @ParameterizedTest
    @EnumSource(names = {"BATCH", "INTERVAL"})
    void afterAFailedSyncNothingMoreIsDurable(SyncPolicy sync) {
        try (ChronicleJournal journal = open(sync)) {
            appendAndFailToSync(journal);
            int forces = disk.forces();

            clock.advance(Duration.ofSeconds(1));
            journal.sync();

            assertThat(disk.forces()).as("a second sync would prove nothing").isEqualTo(forces);
            assertThat(journal.durable(A)).isEqualTo(3);
            assertThat(batches.append(journal, A, 6, 1)).isEqualTo(Appended.FULL);
            assertThat(journal.trouble()).contains("cannot be synced", "not acknowledged");
            assertThat(journal.durables().at(A)).isEqualTo(3);
        }
        assertThat(disk.forces()).as("neither when it closed").isEqualTo(1);
    }

    @Test
    void theNextStartWritesTheFileAgainBeforeItCounts() throws IOException {
        Object inode;
        try (ChronicleJournal journal = open(SyncPolicy.BATCH)) {
            appendAndFailToSync(journal);
            inode = Files.getAttribute(onlyFile(), "unix:ino");
            assertThat(UnsyncedFiles.isMarked(onlyFile())).isTrue();
        }
        int forces = disk.forces();

        try (ChronicleJournal journal = open(SyncPolicy.BATCH)) {
            assertThat(journal.durable(A)).isEqualTo(5);
            assertThat(journal.damages()).isZero();
            assertThat(JournalContract.read(journal, A, 0, 5)).containsExactly(List.of(1L, 3L), List.of(4L, 2L));
        }
        assertThat(disk.forces()).as("of the file that was written again").isEqualTo(forces + 1);
        assertThat(Files.getAttribute(onlyFile(), "unix:ino")).isNotEqualTo(inode);
        assertThat(UnsyncedFiles.isMarked(onlyFile())).isFalse();
    }

    @Test
    void theNextStartFailsWhileTheDiskDoes() throws IOException {
        try (ChronicleJournal journal = open(SyncPolicy.BATCH)) {
            appendAndFailToSync(journal);
        }
        disk.failForces(EIO);

        assertThatThrownBy(() -> open(SyncPolicy.BATCH))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining(EIO)
                .hasMessageContaining("the disk is healthy");

        assertThat(UnsyncedFiles.isMarked(onlyFile())).isTrue();
        disk.failForces("");
        try (ChronicleJournal journal = open(SyncPolicy.BATCH)) {
            assertThat(journal.durable(A)).isEqualTo(5);
        }
    }

    /** The kernel failed to write pages back in the background, and reports the error to the first sync only. */
    @Test
    void aSyncThatFailsWhenTheJournalOpensIsNotTrustedTheSecondTime() throws IOException {
        try (ChronicleJournal journal = open(SyncPolicy.BATCH)) {
            batches.append(journal, A, 1, 3);
            journal.sync();
        }
        disk.failForces(EIO);
        assertThatThrownBy(() -> open(SyncPolicy.BATCH)).hasMessageContaining(EIO);
        disk.failForces("");
        Object inode = Files.getAttribute(onlyFile(), "unix:ino");

        try (ChronicleJournal journal = open(SyncPolicy.BATCH)) {
            assertThat(journal.durable(A)).isEqualTo(3);
        }
        assertThat(Files.getAttribute(onlyFile(), "unix:ino")).isNotEqualTo(inode);
    }

    @Test
    void aFailedSyncAtTheEndOfAFileIsOneToo() {
        try (ChronicleJournal journal = open(SyncPolicy.INTERVAL)) {
            disk.failForces(EIO);
            assertThatThrownBy(() -> {
                        for (int seq = 1; seq <= 40; seq++) {
                            batches.append(journal, A, seq, 1, TEXT);
                        }
                    })
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("cannot be synced");
            assertThat(journal.durable(A)).isZero();
            disk.failForces("");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {EIO, ENOSPC})
    void aDiskThatRefusesBlocksIsAskedAgainAndNothingIsLost(String error) {
        try (ChronicleJournal journal = open(SyncPolicy.BATCH)) {
            batches.append(journal, A, 1, 1, TEXT);
            disk.failWrites(error);
            long seq = 2;
            while (batches.append(journal, A, seq, 1, TEXT) == Appended.OK) {
                seq++;
            }
            assertThat(batches.append(journal, A, seq, 1, TEXT)).isEqualTo(Appended.FULL);
            assertThat(journal.trouble()).contains(error, "Free some space");
            journal.sync();
            assertThat(journal.durable(A)).isEqualTo(seq - 1);

            disk.failWrites("");
            clock.advance(Duration.ofMillis(20));

            assertThat(batches.append(journal, A, seq, 1, TEXT)).isEqualTo(Appended.OK);
            assertThat(journal.trouble()).isEmpty();
            assertThat(JournalContract.read(journal, A, 0, seq)).hasSize((int) seq);
        }
    }
}
