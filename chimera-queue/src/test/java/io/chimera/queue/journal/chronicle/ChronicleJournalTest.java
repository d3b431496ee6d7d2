package io.chimera.queue.journal.chronicle;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.chimera.common.agent.SerialExecutor;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.wire.BatchFeed;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalContract;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.folder.LowWaterFile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChronicleJournalTest extends JournalContract {
    private static final long FILE_BYTES = 1 << 20;
    private static final int TEXT = 60_000;

    @TempDir
    private Path folder;

    @Override
    protected ChronicleJournal open(SyncPolicy sync) {
        return open(sync, 1L << 30, 0);
    }

    private ChronicleJournal open(SyncPolicy sync, long bytesMax, long reserve) {
        return ChronicleJournal.open(settings(sync, bytesMax, reserve), "q1", clock);
    }

    private JournalSettings settings(SyncPolicy sync, long bytesMax, long reserve) {
        return new JournalSettings(
                folder,
                new SyncSchedule(sync, SYNC_EVERY.toMillis()),
                new DiskLimits(bytesMax, reserve),
                new RollLimits(FILE_BYTES, Duration.ofMinutes(1).toMillis()));
    }

    private List<Path> rollFiles() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".cq4"))
                    .sorted()
                    .toList();
        }
    }

    /** Appends batches of about 60 kB each. */
    private void fill(Journal journal, long stream, int firstSeq, int lastSeq) {
        for (int seq = firstSeq; seq <= lastSeq; seq++) {
            assertThat(batches.append(journal, stream, seq, 1, TEXT)).isEqualTo(Appended.OK);
        }
    }

    @Test
    void rollsBySizeAndReadsOverFiles() throws IOException {
        try (ChronicleJournal journal = open(SyncPolicy.BATCH)) {
            fill(journal, A, 1, 100);

            assertThat(rollFiles()).hasSizeBetween(5, 7);
            assertThat(read(journal, A, 0, 100)).hasSize(100);
            assertThat(read(journal, A, 57, 60)).hasSize(3).first().isEqualTo(List.of(58L, 1L));
        }
        try (ChronicleJournal journal = open(SyncPolicy.BATCH)) {
            assertThat(journal.position(A)).isEqualTo(100);
            assertThat(read(journal, A, 0, 100)).hasSize(100);
        }
    }

    @Test
    void rollsByAge() throws IOException {
        try (ChronicleJournal journal = open(SyncPolicy.NONE)) {
            batches.append(journal, A, 1, 1);
            clock.advance(Duration.ofSeconds(59));
            batches.append(journal, A, 2, 1);
            assertThat(rollFiles()).hasSize(1);
            clock.advance(Duration.ofSeconds(1));
            batches.append(journal, A, 3, 1);
            assertThat(rollFiles()).hasSize(2);
            assertThat(read(journal, A, 0, 3)).hasSize(3);
        }
    }

    @Test
    void letsGoBesideAppends() {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        try (ChronicleJournal journal = ChronicleJournal.open(
                settings(SyncPolicy.NONE, 1L << 30, 0),
                "q1",
                clock,
                SerialExecutor.onThread("chores", failures::add))) {
            fill(journal, A, 1, 50);
            Positions cut = Positions.of(A, 45);

            await().until(() -> {
                journal.truncate(cut);
                return journal.bases().equals(cut);
            });

            assertThat(read(journal, A, 45, 50)).hasSize(5);
            fill(journal, A, 51, 60);
            assertThat(read(journal, A, 45, 60)).hasSize(15);
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void letsGoOfWholeFilesBelowTheCut() throws IOException {
        try (ChronicleJournal journal = open(SyncPolicy.NONE)) {
            fill(journal, A, 1, 50);
            fill(journal, B, 1, 50);
            int before = rollFiles().size();
            long bytes = journal.bytes();

            journal.truncate(Positions.of(A, 45));

            assertThat(rollFiles()).hasSizeLessThan(before).hasSizeGreaterThan(2);
            assertThat(journal.bytes()).isLessThan(bytes);
            assertThat(read(journal, A, 45, 50)).hasSize(5);
            assertThat(read(journal, B, 0, 50)).hasSize(50);

            journal.truncate(Positions.of(A, 50, B, 50));
            assertThat(rollFiles()).as("the one that is written").hasSize(1);
        }
        try (ChronicleJournal journal = open(SyncPolicy.NONE)) {
            assertThat(journal.durables()).isEqualTo(Positions.of(A, 50, B, 50));
            assertThat(journal.bases()).isEqualTo(journal.durables());
            assertThat(batches.append(journal, A, 51, 1)).isEqualTo(Appended.OK);
            journal.truncate(Positions.of(A, 51, B, 50));
            assertThat(rollFiles()).as("that of the start before is gone").hasSize(1);
            assertThat(folder.resolve("00000001")).doesNotExist();
        }
    }

    /** The records of a finished stream may share a file with records that are still needed. */
    @Test
    void aStreamThatHasLeftTheCutDoesNotComeBackWithTheNextStart() throws IOException {
        try (ChronicleJournal journal = open(SyncPolicy.NONE)) {
            batches.append(journal, A, 1, 3);
            batches.append(journal, B, 1, 3);
            journal.truncate(Positions.of(A, 3));
            journal.truncate(Positions.of(B, 1));
        }
        for (int start = 2; start <= 3; start++) {
            try (ChronicleJournal journal = open(SyncPolicy.NONE)) {
                assertThat(journal.bases().at(A)).as("start %d", start).isEqualTo(journal.position(A));
                journal.truncate(Positions.of(B, 2));
            }
        }
        try (ChronicleJournal journal = open(SyncPolicy.NONE)) {
            journal.truncate(Positions.of(B, 3));
            assertThat(rollFiles())
                    .as("nothing holds up the files that the two shared")
                    .isEmpty();
            batches.append(journal, B, 4, 1);
            journal.truncate(Positions.of(B, 4));
            assertThat(journal.bases().streams()).as("and then it is forgotten").containsExactly(B);
        }
    }

    @Test
    void refusesBeyondItsLimitUntilSomethingIsLetGo() {
        try (ChronicleJournal journal = open(SyncPolicy.NONE, 4 * FILE_BYTES, 0)) {
            int seq = 1;
            while (batches.append(journal, A, seq, 1, TEXT) == Appended.OK) {
                seq++;
            }
            assertThat(seq).isGreaterThan(30);
            assertThat(journal.bytes()).isLessThanOrEqualTo(4 * FILE_BYTES);
            assertThat(batches.append(journal, A, seq, 1, TEXT)).isEqualTo(Appended.FULL);
            assertThat(journal.trouble()).contains("journal.max_bytes", "processors and the store");
            assertThat(read(journal, A, 0, seq - 1)).hasSize(seq - 1);

            journal.truncate(Positions.of(A, seq - 1));
            fill(journal, A, seq, seq + 20);
            assertThat(journal.trouble()).isEmpty();
        }
    }

    @Test
    void refusesBelowTheReserveOfTheDisk() {
        try (ChronicleJournal journal = open(SyncPolicy.NONE, 1L << 30, Long.MAX_VALUE / 2)) {
            assertThat(batches.append(journal, A, 1, 1)).isEqualTo(Appended.FULL);
            assertThat(journal.trouble()).contains("journal.reserve", folder.toString());
        }
    }

    @Test
    void oneProcessHasTheJournal() {
        try (ChronicleJournal journal = open(SyncPolicy.NONE)) {
            assertThat(journal.bytes()).isZero();
            assertThatThrownBy(() -> open(SyncPolicy.NONE))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("in use by another node")
                    .hasMessageContaining("data_dir");
        }
        open(SyncPolicy.NONE).close();
    }

    @Test
    void damagedLowWaterMarkIsSetAside() throws IOException {
        try (ChronicleJournal journal = open(SyncPolicy.NONE)) {
            fill(journal, A, 1, 50);
            journal.truncate(Positions.of(A, 45));
        }
        Files.writeString(folder.resolve(LowWaterFile.NAME), "{\"oops");
        try (ChronicleJournal journal = open(SyncPolicy.NONE)) {
            assertThat(journal.position(A)).isEqualTo(50);
            assertThat(journal.bases().at(A)).as("what the files hold").isBetween(1L, 45L);
            assertThat(folder.resolve("low-water.json.damaged")).exists();
        }
    }

    @Test
    void readingAllocatesNothingPerBatch() {
        try (ChronicleJournal journal = open(SyncPolicy.NONE)) {
            int last = 4_000;
            for (int seq = 1; seq <= last; seq++) {
                batches.append(journal, seq % 2 == 0 ? A : B, (seq + 1) / 2, 1);
            }
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long leastBytes = Long.MAX_VALUE;
            try (BatchFeed feed = journal.feed(StreamRange.from(A, 0))) {
                for (int round = 0; round < 20; round++) {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    int read = 0;
                    while (read < 100 && feed.next() == BatchFeed.Step.BATCH) {
                        read++;
                    }
                    leastBytes = Math.min(leastBytes, threads.getCurrentThreadAllocatedBytes() - before);
                    assertThat(read).isEqualTo(100);
                }
            }
            assertThat(leastBytes).as("bytes for 100 batches").isZero();
        }
    }
}
