package io.chimera.queue.journal.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.wire.BatchFeed;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalContract;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.read.ExcerptReader;
import io.chimera.queue.journal.read.ExcerptReader.Found;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal with truncated or changed files opens, keeps the whole batches, and continues. */
final class JournalDamageTest {
    private static final long A = 0xA;
    private static final long B = 0xB;
    private static final int BATCHES = 40;
    private static final int TEXT = 30_000;

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock();
    private final Batches batches = new Batches();
    private Path good;

    /** Writes two files in one start: batches of A and B in turn, about 30 kB each. */
    @BeforeEach
    void writeJournal() {
        good = folder.resolve("good");
        try (Journal journal = open(good)) {
            for (int seq = 1; seq <= BATCHES; seq++) {
                assertThat(batches.append(journal, A, seq, 1, TEXT)).isEqualTo(Appended.OK);
                assertThat(batches.append(journal, B, seq, 1, 100)).isEqualTo(Appended.OK);
            }
        }
        assertThat(files(good)).hasSize(2);
    }

    private ChronicleJournal open(Path directory) {
        return ChronicleJournal.open(
                new JournalSettings(
                        directory,
                        new SyncSchedule(SyncPolicy.NONE, 100),
                        new DiskLimits(1L << 30, 0),
                        new RollLimits(1 << 20, 60_000)),
                "q1",
                clock);
    }

    private static List<Path> files(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".cq4"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path copy() throws IOException {
        Path copy = Files.createTempDirectory(folder, "copy");
        try (Stream<Path> files = Files.walk(good)) {
            for (Path file : files.filter(path -> !path.equals(good)).toList()) {
                Files.copy(file, copy.resolve(good.relativize(file)));
            }
        }
        return copy;
    }

    /** End offsets of the batches in a file. */
    private static List<Long> ends(Path file) throws IOException {
        List<Long> ends = new ArrayList<>();
        try (ExcerptReader reader = ExcerptReader.make()) {
            reader.open(file);
            long offset = 0;
            Found found = reader.peek(offset);
            while (found == Found.BATCH || found == Found.METADATA) {
                offset = reader.next();
                if (found == Found.BATCH) {
                    ends.add(offset);
                }
                found = reader.peek(offset);
            }
        }
        return ends;
    }

    private static void cut(Path file, long length) throws IOException {
        try (RandomAccessFile raf = new RandomAccessFile(file.toFile(), "rw")) {
            raf.setLength(length);
        }
    }

    private static void flip(Path file, long offset) throws IOException {
        try (RandomAccessFile raf = new RandomAccessFile(file.toFile(), "rw")) {
            raf.seek(offset);
            int old = raf.read();
            raf.seek(offset);
            raf.write(old ^ 0x10);
        }
    }

    private static int batchesOf(Journal journal) {
        return JournalContract.read(journal, A, 0, journal.position(A)).size()
                + JournalContract.read(journal, B, 0, journal.position(B)).size();
    }

    /** Checks the behaviour common to all kinds of damage. */
    private void checkThatItGoesOn(Path directory) {
        long a;
        long b;
        try (ChronicleJournal journal = open(directory)) {
            a = journal.position(A) + 1;
            b = journal.position(B) + 1;
            assertThat(batches.append(journal, A, a, 1)).isEqualTo(Appended.OK);
            assertThat(batches.append(journal, B, b, 1)).isEqualTo(Appended.OK);
        }
        try (ChronicleJournal journal = open(directory)) {
            assertThat(journal.durables()).isEqualTo(Positions.of(A, a, B, b));
            assertThat(batchesOf(journal)).isEqualTo(a + b);
        }
    }

    @Test
    void newestFileCutAnywhereLosesOnlyWhatWasCut() throws IOException {
        List<Long> ends = ends(files(good).get(1));
        int inFirst = 2 * BATCHES - ends.size();
        Random random = new Random(7);
        List<Long> cuts = new ArrayList<>(List.of(0L, 1L, 4L, 100L, ends.get(0), ends.get(3), ends.get(3) + 3));
        for (int i = 0; i < 12; i++) {
            cuts.add((long) random.nextInt(ends.get(ends.size() - 1).intValue()));
        }
        for (long length : cuts) {
            Path copy = copy();
            cut(files(copy).get(1), length);
            int whole =
                    inFirst + (int) ends.stream().filter(end -> end <= length).count();
            try (ChronicleJournal journal = open(copy)) {
                assertThat(batchesOf(journal)).as("cut at %d", length).isEqualTo(whole);
                assertThat(journal.position(A) + journal.position(B)).isEqualTo(whole);
            }
            checkThatItGoesOn(copy);
        }
    }

    @Test
    void newestFileChangedAnywhereKeepsWhatIsBefore() throws IOException {
        List<Long> ends = ends(files(good).get(1));
        int inFirst = 2 * BATCHES - ends.size();
        long first = ends.get(0);
        long last = ends.get(ends.size() - 1);
        Random random = new Random(8);
        for (int i = 0; i < 12; i++) {
            long offset = first + random.nextInt((int) (last - first));
            Path copy = copy();
            flip(files(copy).get(1), offset);
            int whole =
                    inFirst + (int) ends.stream().filter(end -> end <= offset).count();
            try (ChronicleJournal journal = open(copy)) {
                assertThat(batchesOf(journal)).as("changed at %d", offset).isEqualTo(whole);
            }
            checkThatItGoesOn(copy);
        }
    }

    @Test
    void damageInAnOldFileCostsTheStreamsThatItHit() throws IOException {
        Path copy = copy();
        List<Path> files = files(copy);
        List<Long> ends = ends(files.get(0));
        // damages only the last batch of the first file, which belongs to A or to B
        int lastInFile = ends.size();
        boolean hitsA = lastInFile % 2 == 1;
        flip(files.get(0), ends.get(lastInFile - 1) - 50);

        long cutOff = (lastInFile - 1L) / 2;
        try (ChronicleJournal journal = open(copy)) {
            assertThat(journal.position(hitsA ? A : B)).isEqualTo(cutOff);
            assertThat(journal.position(hitsA ? B : A)).isEqualTo(BATCHES);
            // a peer sends the missing batches
            for (long seq = cutOff + 1; seq <= BATCHES; seq++) {
                assertThat(batches.append(journal, hitsA ? A : B, seq, 1)).isEqualTo(Appended.OK);
            }
        }
        try (ChronicleJournal journal = open(copy)) {
            assertThat(journal.durables()).isEqualTo(Positions.of(A, BATCHES, B, BATCHES));
            assertThat(batchesOf(journal)).isEqualTo(2 * BATCHES);

            journal.truncate(Positions.of(A, BATCHES, B, BATCHES));
            assertThat(files(copy).stream().filter(file -> file.toString().contains("damaged")))
                    .as("set aside for somebody to look at")
                    .isNotEmpty();
            assertThat(copy.resolve("00000001")).doesNotExist();
        }
    }

    @Test
    void batchThatIsDamagedAfterTheOpeningIsAGap() throws IOException {
        Path copy = copy();
        try (ChronicleJournal journal = open(copy)) {
            Path file = files(copy).get(0);
            flip(file, ends(file).get(2) - 50);
            try (var feed = journal.feed(new StreamRange(A, 0, BATCHES))) {
                assertThat(feed.next()).isEqualTo(BatchFeed.Step.BATCH);
                assertThat(feed.next()).isEqualTo(BatchFeed.Step.GAP);
            }
        }
    }

    @Test
    void filesThatAreNoneAreLeftAside() throws IOException {
        Path copy = copy();
        byte[] noise = new byte[100_000];
        new Random(9).nextBytes(noise);
        Path start = Files.createDirectory(copy.resolve("00000002"));
        Files.write(start.resolve("20260101-000000T.cq4"), noise);
        Files.createDirectory(copy.resolve("00000003"));
        Files.writeString(copy.resolve("README"), "not ours");

        checkThatItGoesOn(copy);
        try (ChronicleJournal journal = open(copy)) {
            assertThat(journal.position(A)).isEqualTo(BATCHES + 1);
        }
    }
}
