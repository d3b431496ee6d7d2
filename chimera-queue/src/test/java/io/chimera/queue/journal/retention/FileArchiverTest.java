package io.chimera.queue.journal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.SerialExecutor;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archiving of journal files with a working, a slow and a failing archive. */
final class FileArchiverTest {
    private static final long A = 0xA;
    private static final int FILE_BYTES = 1 << 20;
    private static final int TEXT = 60_000;

    private final ManualClock clock = new ManualClock();
    private final Batches batches = new Batches();
    private final List<PastFile> kept = new ArrayList<>();
    private String fails = "";

    @TempDir
    private Path folder;

    private final PastFiles archive = new PastFiles() {
        @Override
        public void keep(PastFile file) {
            if (!fails.isEmpty()) {
                throw new ChimeraException(Category.ERROR, fails);
            }
            assertThat(file.path()).exists();
            kept.add(file);
        }

        @Override
        public void close() {
            fails = "closed";
        }
    };

    @Test
    void filesGoOnceTheArchiveHasThem() throws IOException {
        try (ChronicleJournal journal = open(1L << 30, 100L << 20)) {
            fill(journal, 1, 60);
            journal.retained().note(new PastCycle(7, CycleTime.of(7_000), Positions.of(A, 0), Positions.of(A, 40)));
            int files = files();
            truncate(journal, 60);
            assertThat(kept).hasSize(files - 1); // the last file is still being written
            assertThat(kept.get(0).name()).matches("00000001/\\d{8}-\\d{6}T\\.cq4");
            assertThat(kept.get(0).bytes()).isGreaterThanOrEqualTo(FILE_BYTES);
            assertThat(kept.get(0).cycles()).contains("\"cycle\":7");
            truncate(journal, 60);
            assertThat(files()).isEqualTo(1);
            assertThat(journal.archived().kept()).isEqualTo(files - 1L);
            assertThat(journal.archived().lost()).isZero();
            assertThat(journal.archived().waitingBytes()).isZero();
        }
        assertThat(fails).isEqualTo("closed");
    }

    @Test
    void filesWaitForAnArchiveThatFailsAndGoToItLater() throws IOException {
        fails = "The device is gone.";
        try (ChronicleJournal journal = open(1L << 30, 100L << 20)) {
            fill(journal, 1, 60);
            int files = files();
            truncate(journal, 60);
            truncate(journal, 60);
            assertThat(files()).isEqualTo(files);
            assertThat(journal.archived().trouble()).contains("The device is gone.");
            assertThat(journal.archived().waitingBytes()).isGreaterThanOrEqualTo((files - 1L) * FILE_BYTES);
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 60))).isTrue();
            fails = "";
            truncate(journal, 60);
            truncate(journal, 60);
            assertThat(files()).isEqualTo(1);
            assertThat(kept).hasSize(files - 1);
            assertThat(journal.archived().trouble()).isEmpty();
        }
    }

    @Test
    void noMoreWaitThanTheJournalMayRetainAndTheOldestGoFirst() throws IOException {
        fails = "The device is gone.";
        try (ChronicleJournal journal = open(1L << 30, 3L << 20)) {
            fill(journal, 1, 200);
            truncate(journal, 200);
            assertThat(journal.archived().lost()).isGreaterThan(3);
            assertThat(journal.archived().waitingBytes()).isBetween(1L, 4L << 20);
            assertThat(journal.retained().canRead(new StreamRange(A, 199, 200))).isTrue();
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 1))).isFalse();
        }
    }

    @Test
    void whereRoomIsNeededNobodyWaitsForTheArchive() {
        fails = "The device is gone.";
        try (ChronicleJournal journal = open(8L << 20, 100L << 20)) {
            for (int last = 60; last <= 600; last += 60) {
                fill(journal, last - 59, last);
                truncate(journal, last);
            }
            assertThat(journal.archived().lost()).isPositive();
            assertThat(journal.bytes()).isLessThanOrEqualTo(8L << 20);
            assertThat(journal.trouble()).isEmpty();
        }
    }

    private ChronicleJournal open(long bytesMax, long retainBytes) {
        JournalSettings settings = new JournalSettings(
                folder,
                new SyncSchedule(SyncPolicy.BATCH, 100),
                new DiskLimits(bytesMax, 0),
                new RollLimits(FILE_BYTES, Duration.ofMinutes(1).toMillis()));
        return ChronicleJournal.open(
                settings.retaining(0, retainBytes),
                "q1",
                clock,
                SerialExecutor.inline(),
                archive,
                SerialExecutor.inline());
    }

    private void fill(Journal journal, int firstSeq, int lastSeq) {
        for (int seq = firstSeq; seq <= lastSeq; seq++) {
            assertThat(batches.append(journal, A, seq, 1, TEXT)).isEqualTo(Journal.Appended.OK);
        }
    }

    private static void truncate(ChronicleJournal journal, long upTo) {
        journal.truncate(Positions.of(A, upTo));
    }

    private int files() throws IOException {
        try (var all = Files.walk(folder)) {
            return (int) all.filter(path -> path.toString().endsWith(".cq4")).count();
        }
    }
}
