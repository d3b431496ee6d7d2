package io.chimera.queue.journal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchFeed.Step;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import io.chimera.queue.journal.folder.CycleFile;
import io.chimera.queue.journal.index.RollFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RetentionTest {
    private static final long A = 0xA;
    private static final long B = 0xB;
    private static final long FILE_BYTES = 1 << 20;
    private static final int TEXT = 60_000;
    private static final Duration HOUR = Duration.ofHours(1);

    private final ManualClock clock = new ManualClock();
    private final Batches batches = new Batches();

    @TempDir
    private Path folder;

    private ChronicleJournal open(long bytesMax, Duration retainFor, long retainBytes) {
        JournalSettings settings = new JournalSettings(
                folder,
                new SyncSchedule(SyncPolicy.BATCH, 100),
                new DiskLimits(bytesMax, 0),
                new RollLimits(FILE_BYTES, Duration.ofMinutes(1).toMillis()));
        return ChronicleJournal.open(settings.retaining(retainFor.toMillis(), retainBytes), "q1", clock);
    }

    private ChronicleJournal open() {
        return open(1L << 30, HOUR, 1L << 30);
    }

    /** Appends records of about 60 kB each, 17 to a file. */
    private void fill(Journal journal, long stream, int firstSeq, int lastSeq) {
        for (int seq = firstSeq; seq <= lastSeq; seq++) {
            assertThat(batches.append(journal, stream, seq, 1, TEXT)).isEqualTo(Appended.OK);
        }
    }

    /** Number of records in a feed of retained records, or -1 for a feed with a gap. */
    private static long read(Journal journal, long stream, long after, long upTo) {
        long records = 0;
        try (BatchFeed feed = journal.retained().feed(new StreamRange(stream, after, upTo))) {
            Step step = feed.next();
            while (step == Step.BATCH) {
                long first = BatchLayout.firstSeq(feed.buffer(), feed.offset());
                long last = first + BatchLayout.count(feed.buffer(), feed.offset()) - 1;
                records += Math.min(last, upTo) - Math.max(first, after + 1) + 1;
                step = feed.next();
            }
            return step == Step.END ? records : -1;
        }
    }

    private static PastCycle cycle(long number, long after, long upTo) {
        return new PastCycle(
                number, new CycleTime(1_000 * number, 999 * number), Positions.of(A, after), Positions.of(A, upTo));
    }

    @Test
    void readsBelowTheBaseWhatIsRetainedAlsoAfterARestart() {
        try (ChronicleJournal journal = open()) {
            fill(journal, A, 1, 60);
            journal.truncate(Positions.of(A, 50));

            assertThat(journal.bases().at(A)).isEqualTo(50);
            assertThat(journal.feed(new StreamRange(A, 0, 60)).next())
                    .as("the live feed")
                    .isEqualTo(Step.GAP);
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 60))).isTrue();
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 61))).isFalse();
            assertThat(read(journal, A, 0, 60)).isEqualTo(60);
            assertThat(read(journal, A, 20, 23)).isEqualTo(3);
            assertThat(journal.retained().bytes()).isGreaterThan(FILE_BYTES);
        }
        try (ChronicleJournal journal = open()) {
            assertThat(journal.bases().at(A)).isEqualTo(50);
            assertThat(journal.position(A)).isEqualTo(60);
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 60))).isTrue();
            assertThat(read(journal, A, 0, 60)).isEqualTo(60);
            assertThat(journal.feed(new StreamRange(A, 0, 60)).next()).isEqualTo(Step.GAP);
        }
    }

    @Test
    void theStreamOfAnEarlierStartIsNeverTakenForNewWhileItIsRetained() {
        try (ChronicleJournal journal = open()) {
            fill(journal, A, 1, 20);
            journal.truncate(Positions.of(A, 20));
            journal.truncate(Positions.of(B, 0)); // the conductor dropped it from the cut
        }
        try (ChronicleJournal journal = open()) {
            assertThat(journal.bases().at(A)).isEqualTo(journal.durables().at(A));
            assertThat(read(journal, A, 0, 20)).isEqualTo(20);
        }
    }

    @Test
    void letsGoOfWhatIsOldEnough() {
        try (ChronicleJournal journal = open()) {
            fill(journal, A, 1, 60);
            journal.truncate(Positions.of(A, 60));
            clock.advance(HOUR.minusMinutes(1));
            journal.truncate(Positions.of(A, 60));
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 60))).isTrue();

            clock.advance(Duration.ofMinutes(1));
            journal.truncate(Positions.of(A, 60));

            assertThat(journal.retained().canRead(new StreamRange(A, 0, 60))).isFalse();
            assertThat(read(journal, A, 0, 60)).isEqualTo(-1);
            assertThat(batches.append(journal, A, 61, 1)).isEqualTo(Appended.OK);
            assertThat(read(journal, A, 60, 61)).isEqualTo(1);
        }
    }

    @Test
    void letsGoOfTheOldestWhenThereIsMoreThanIsToBeRetained() {
        try (ChronicleJournal journal = open(1L << 30, HOUR, 3 * FILE_BYTES)) {
            fill(journal, A, 1, 120);
            journal.truncate(Positions.of(A, 120));

            assertThat(journal.retained().bytes()).isLessThan(4 * FILE_BYTES + FILE_BYTES);
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 120))).isFalse();
            assertThat(journal.retained().canRead(new StreamRange(A, 90, 120))).isTrue();
            assertThat(read(journal, A, 90, 120)).isEqualTo(30);
        }
    }

    @Test
    void letsNothingGoForItsAgeWhileAReplayHoldsIt() {
        try (ChronicleJournal journal = open()) {
            fill(journal, A, 1, 60);
            journal.retained().hold(true);
            journal.truncate(Positions.of(A, 60));
            clock.advance(HOUR.multipliedBy(2));
            journal.truncate(Positions.of(A, 60));
            assertThat(read(journal, A, 0, 60)).isEqualTo(60);

            journal.retained().hold(false);
            journal.truncate(Positions.of(A, 60));
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 60)))
                    .as("its time begins now")
                    .isTrue();
            clock.advance(HOUR);
            journal.truncate(Positions.of(A, 60));
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 60))).isFalse();
        }
    }

    @Test
    void whatIsRetainedGivesWayToWhatIsNewAndNothingElseDoes() {
        try (ChronicleJournal journal = open(9 * FILE_BYTES, HOUR, 1L << 30)) {
            journal.retained().hold(true);
            fill(journal, A, 1, 60);
            journal.truncate(Positions.of(A, 60));
            fill(journal, B, 1, 60);

            assertThat(journal.bytes()).isLessThanOrEqualTo(9 * FILE_BYTES);
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 60))).isFalse();
            assertThat(read(journal, B, 0, 60)).isEqualTo(60);

            int seq = 61;
            while (batches.append(journal, B, seq, 1, TEXT) == Appended.OK) {
                seq++;
            }
            assertThat(journal.trouble()).contains("max_bytes");
            assertThat(read(journal, B, 0, seq - 1))
                    .as("nothing uncommitted went")
                    .isEqualTo(seq - 1);
        }
    }

    private Retention retention(long bytesMax) {
        JournalSettings settings = new JournalSettings(
                folder,
                new SyncSchedule(SyncPolicy.BATCH, 100),
                new DiskLimits(1L << 30, 0),
                new RollLimits(FILE_BYTES, 1_000));
        return new Retention(settings.retaining(HOUR.toMillis(), bytesMax), clock);
    }

    private RollFile file(int ordinal, long bytes) throws IOException {
        RollFile file = new RollFile(ordinal, Files.createFile(folder.resolve("roll-" + ordinal)));
        file.bytes(bytes);
        file.holds(A, ordinal);
        return file;
    }

    @Test
    void retainsUpToTheConfiguredBytesAndNoEmptyFile() throws IOException {
        List<RollFile> done = List.of(file(1, 10), file(2, 20), file(3, 30));
        RollFile empty = new RollFile(4, folder.resolve("empty"));

        assertThat(retention(60).surplus(done)).isEmpty();
        assertThat(retention(59).surplus(done)).containsExactly(done.get(0));
        assertThat(retention(49).surplus(done)).containsExactly(done.get(0), done.get(1));
        assertThat(retention(60).surplus(List.of(empty))).containsExactly(empty);
    }

    @Test
    void raisesTheRetentionTimeAndNeverShortensIt() throws IOException {
        List<RollFile> done = List.of(file(1, 10));
        Retention retention = retention(60);
        retention.atLeast(HOUR.toMillis() / 2);
        assertThat(retention.surplus(done)).isEmpty();
        clock.advance(HOUR.minusMillis(1));
        assertThat(retention.surplus(done)).isEmpty();

        retention.atLeast(2 * HOUR.toMillis());
        clock.advance(HOUR);
        assertThat(retention.surplus(done)).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(retention.surplus(done)).isEqualTo(done);
    }

    /** Files of an earlier start count their time from their last write, but a clock may have been set back since. */
    @Test
    void countsTheTimeOfFoundFilesFromTheirLastWrite() throws IOException {
        RollFile old = file(1, 10);
        RollFile ahead = file(2, 10);
        Retention retention = retention(60);
        clock.advance(HOUR);
        Files.setLastModifiedTime(old.path(), FileTime.fromMillis(clock.epochMs() - HOUR.toMillis() + 1));
        Files.setLastModifiedTime(ahead.path(), FileTime.fromMillis(clock.epochMs() + HOUR.toMillis()));
        retention.found(List.of(old, ahead));

        assertThat(retention.surplus(List.of(old, ahead))).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(retention.surplus(List.of(old, ahead))).containsExactly(old);
        clock.advance(HOUR);
        assertThat(retention.surplus(List.of(ahead))).containsExactly(ahead);
    }

    @Test
    void aNodeThatWasAwayHasAHoleInWhatItRetains() {
        for (int round = 0; round < 2; round++) {
            try (ChronicleJournal journal = open()) {
                if (round == 0) {
                    fill(journal, A, 1, 30);
                    journal.truncate(Positions.of(A, 100)); // the other nodes continued meanwhile
                    fill(journal, A, 101, 130);
                    journal.truncate(Positions.of(A, 130));
                    journal.sync();
                }
                assertThat(journal.retained().canRead(new StreamRange(A, 0, 30)))
                        .isTrue();
                assertThat(journal.retained().canRead(new StreamRange(A, 0, 31)))
                        .isFalse();
                assertThat(journal.retained().canRead(new StreamRange(A, 99, 130)))
                        .isFalse();
                assertThat(journal.retained().canRead(new StreamRange(A, 100, 130)))
                        .isTrue();
                assertThat(read(journal, A, 0, 30)).isEqualTo(30);
                assertThat(read(journal, A, 100, 130)).isEqualTo(30);
                assertThat(read(journal, A, 20, 130)).isEqualTo(-1);
            }
        }
    }

    @Test
    void knowsTheCyclesThatItCanReadOverARestartAndForgetsTheOthers() {
        try (ChronicleJournal journal = open()) {
            fill(journal, A, 1, 30);
            journal.retained().note(cycle(1, 0, 10));
            journal.retained().note(cycle(2, 10, 30));
            journal.retained().note(cycle(3, 30, 60));
            journal.truncate(Positions.of(A, 30));
            journal.truncate(Positions.of(A, 60)); // the third cycle began and was committed while this node was away
            journal.retained().note(cycle(4, 60, 70));
            fill(journal, A, 61, 70);
            journal.truncate(Positions.of(A, 70));
            assertThat(journal.retained().spans()).containsExactly(new CycleSpan(1, 2), new CycleSpan(4, 4));
        }
        try (ChronicleJournal journal = open()) {
            assertThat(journal.retained().spans()).containsExactly(new CycleSpan(1, 2), new CycleSpan(4, 4));
            assertThat(journal.retained().cycles()).containsEntry(2L, cycle(2, 10, 30));
            clock.advance(HOUR);
            journal.truncate(Positions.of(A, 70));
            assertThat(journal.retained().cycles()).isEmpty();
        }
    }

    @Test
    void aCycleWhoseNumberComesASecondTimeEndsTheHistoryBefore() {
        try (ChronicleJournal journal = open()) {
            journal.retained().note(cycle(1, 0, 10));
            journal.retained().note(cycle(2, 10, 30));
            journal.retained().note(cycle(3, 30, 60));
            journal.retained().note(cycle(2, 10, 31));

            assertThat(journal.retained().spans()).containsExactly(new CycleSpan(1, 2));
            assertThat(journal.retained().cycles()).containsEntry(2L, cycle(2, 10, 31));
        }
    }

    @Test
    void theNotesSurviveATornEndAndAnyFlippedByte() throws IOException {
        try (CycleFile file = CycleFile.open(folder)) {
            for (int number = 1; number <= 5; number++) {
                file.note(cycle(number, 10L * number, 10L * number + 10));
            }
        }
        Path path = folder.resolve(CycleFile.NAME);
        byte[] whole = Files.readAllBytes(path);
        int last = new String(whole, StandardCharsets.UTF_8).lastIndexOf('\n', whole.length - 2) + 1;
        for (int end = last; end < whole.length - 1; end++) {
            Files.write(path, Arrays.copyOf(whole, end));
            try (CycleFile file = CycleFile.open(folder)) {
                assertThat(file.spans()).containsExactly(new CycleSpan(1, 4));
                file.note(cycle(5, 50, 60));
            }
            assertThat(Files.readAllBytes(path)).as("cut at byte %d", end).isEqualTo(whole);
        }
        for (int at = 0; at < whole.length; at += 3) {
            byte[] flipped = whole.clone();
            flipped[at] = (byte) (flipped[at] ^ (1 << (at % 8)));
            Files.write(path, flipped);
            try (CycleFile file = CycleFile.open(folder)) {
                assertThat(file.cycles().size()).as("byte %d flipped", at).isBetween(3, 4);
                file.cycles().forEach((number, cycle) -> assertThat(cycle)
                        .isEqualTo(cycle(number, 10 * number, 10 * number + 10)));
            }
        }
    }

    @Test
    void theNotesAreWrittenAnewWhenMostLinesAreOfCyclesThatAreGone() throws IOException {
        try (CycleFile file = CycleFile.open(folder)) {
            for (int number = 1; number <= 2_000; number++) {
                int least = number - 10;
                file.note(cycle(number, 10L * number, 10L * number + 10));
                file.keepIf(cycle -> cycle.number() > least);
            }
            assertThat(file.spans()).containsExactly(new CycleSpan(1_991, 2_000));
        }
        assertThat(Files.readAllLines(folder.resolve(CycleFile.NAME))).hasSizeLessThan(300);
        try (CycleFile file = CycleFile.open(folder)) {
            assertThat(file.cycles()).containsKey(2_000L);
        }
    }
}
