package io.chimera.queue.journal.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.Positions;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalContract;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.offline.JournalCheck;
import io.chimera.queue.journal.offline.JournalRepair;
import io.chimera.queue.journal.offline.JournalRepair.Repaired;
import io.chimera.queue.journal.read.ExcerptReader;
import io.chimera.queue.journal.read.FileWalk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The last file of a journal is cut in its last 64 KiB, and changed at many places. Each time the journal opens with
 * exactly the batches before the damage, and reports the place of the damage.
 */
final class JournalTornTailIT {
    private static final long A = 0xA;
    private static final long B = 0xB;
    private static final int TAIL = 64 << 10;
    private static final int FLIPS = 600;

    /** Step between cuts away from the edges of batches; a prime number, so that cuts fall on all alignments. */
    private static final int CUT_EVERY = 61;

    /** Distance from the edge of a batch within which the test cuts at every byte: more than the headers of a batch. */
    private static final int NEAR = 40;

    /** Interval, in cuts, of the checks that also read all batches. */
    private static final int FULL_CHECK_EVERY = 251;

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock();
    private final Batches batches = new Batches();
    private final List<Excerpt> excerpts = new ArrayList<>();
    private Path journal;
    private Path file;

    /** A written batch: its offsets, including the four bytes before the batch, its stream and its last record. */
    private record Excerpt(long begin, long end, long stream, long lastSeq) {}

    /** Writes small and large batches of two streams, of 1 to 5 records; leaves the file like a dead process. */
    @BeforeEach
    void writeJournal() throws IOException {
        journal = folder.resolve("journal");
        Random random = new Random(20261121);
        try (ChronicleJournal written = open()) {
            long[] next = {1, 1};
            long bytes = 0;
            while (bytes < TAIL + (16 << 10)) {
                int which = random.nextInt(3) == 0 ? 1 : 0;
                int count = 1 + random.nextInt(5);
                int text = random.nextInt(4) == 0 ? 0 : random.nextInt(2_000);
                bytes += batches.seal(which == 0 ? A : B, next[which], count, text);
                assertThat(batches.append(written, which == 0 ? A : B, next[which], count, text))
                        .isEqualTo(Appended.OK);
                next[which] += count;
            }
        }
        file = JournalDirectory.files(journal.resolve("00000001")).get(0);
        FileWalk.End end = new FileWalk(ExcerptReader.make()).walk(file, (batch, offset) -> {
            int length = BatchLayout.length(batch.buffer(), ExcerptReader.BATCH_OFFSET);
            excerpts.add(new Excerpt(offset, offset + Integer.BYTES + length, batch.stream(), batch.lastSeq()));
            return true;
        });
        assertThat(end.damage()).isEmpty();
        assertThat(end.offset()).isGreaterThan(TAIL);
    }

    private ChronicleJournal open() {
        return ChronicleJournal.open(
                new JournalSettings(
                        journal,
                        new SyncSchedule(SyncPolicy.NONE, 100),
                        new DiskLimits(1L << 30, 0),
                        new RollLimits(64 << 20, 60_000)),
                "q1",
                clock);
    }

    /** Expected positions of both streams when only the batches up to an offset are left. */
    private Positions positions(long validEnd) {
        Positions.Builder positions = Positions.builder();
        for (Excerpt excerpt : excerpts) {
            if (excerpt.end <= validEnd) {
                positions.put(excerpt.stream, excerpt.lastSeq);
            }
        }
        return positions.build();
    }

    private static int wholeBatches(ChronicleJournal opened) {
        int batches = 0;
        for (long stream : opened.durables().streams()) {
            batches += JournalContract.read(opened, stream, 0, opened.position(stream))
                    .size();
        }
        return batches;
    }

    /** Cuts at every byte near an edge of a batch, where a header may be torn, and at some bytes inside each batch. */
    @Test
    void aCutOfTheLast64KiBKeepsThePrefix() throws IOException {
        cutAtEvery(CUT_EVERY);
    }

    @Test
    @Tag("longsim")
    void everyCutOfTheLast64KiBKeepsThePrefix() throws IOException {
        cutAtEvery(1);
    }

    private void cutAtEvery(int step) throws IOException {
        long end = excerpts.get(excerpts.size() - 1).end;
        int whole = excerpts.size();
        int cuts = 0;
        Positions expected = positions(end);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (long length = end; length >= end - TAIL; length--) {
                if (whole > 0 && excerpts.get(whole - 1).end > length) {
                    whole--;
                    expected = positions(length);
                }
                if (length % step != 0 && !isNearAnEdge(length)) {
                    continue;
                }
                channel.truncate(length);
                try (ChronicleJournal opened = open()) {
                    assertThat(opened.durables().equals(expected) && opened.damages() == 1)
                            .as("cut at %d: %s instead of %s", length, opened.durables(), expected)
                            .isTrue();
                    if (cuts++ % FULL_CHECK_EVERY == 0) {
                        assertThat(wholeBatches(opened)).isEqualTo(whole);
                    }
                }
            }
        }
        assertThat(whole).as("batches before the last 64 KiB").isPositive();
    }

    private boolean isNearAnEdge(long offset) {
        return excerpts.stream()
                .anyMatch(
                        excerpt -> Math.abs(excerpt.begin - offset) <= NEAR || Math.abs(excerpt.end - offset) <= NEAR);
    }

    @Test
    void everyChangedByteCostsNothingBeforeIt() throws IOException {
        byte[] good = Files.readAllBytes(file);
        long end = excerpts.get(excerpts.size() - 1).end;
        Random random = new Random(7);
        int harmless = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int round = 0; round < FLIPS; round++) {
                int offset = (int) (end - 1 - random.nextInt(TAIL));
                byte changed = (byte) (good[offset] ^ 1 << random.nextInt(8));
                channel.write(ByteBuffer.wrap(new byte[] {changed}), offset);
                Excerpt hit = excerpts.stream()
                        .filter(excerpt -> excerpt.begin <= offset && offset < excerpt.end)
                        .findFirst()
                        .orElse(null);
                try (ChronicleJournal opened = open()) {
                    if (hit == null) {
                        harmless++; // Chronicle's index, or padding to four bytes
                    } else {
                        assertThat(opened.damages()).as("changed at %d", offset).isEqualTo(1);
                        assertThat(opened.durables())
                                .as("changed at %d", offset)
                                .isEqualTo(positions(hit.begin));
                        assertThat(wholeBatches(opened)).isEqualTo(excerpts.indexOf(hit));
                    }
                }
                channel.write(ByteBuffer.wrap(good, offset, 1), offset);
            }
        }
        assertThat(harmless).isLessThan(FLIPS / 3);
    }

    /** Flips every bit of each header: headers before a batch and headers before empty space. */
    @Test
    void everyBitOfAHeaderIsNoticed() throws IOException {
        byte[] good = Files.readAllBytes(file);
        Excerpt middle = excerpts.get(excerpts.size() / 2);
        Excerpt last = excerpts.get(excerpts.size() - 1);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (Excerpt excerpt : List.of(middle, last)) {
                for (int bit = 0; bit < 32; bit++) {
                    int offset = (int) excerpt.begin + bit / 8;
                    channel.write(ByteBuffer.wrap(new byte[] {(byte) (good[offset] ^ 1 << bit % 8)}), offset);
                    try (ChronicleJournal opened = open()) {
                        assertThat(opened.damages()).as("bit %d", bit).isEqualTo(1);
                        assertThat(opened.durables()).as("bit %d", bit).isEqualTo(positions(excerpt.begin));
                    }
                    channel.write(ByteBuffer.wrap(good, offset, 1), offset);
                }
            }
            channel.write(ByteBuffer.wrap(new byte[4]), middle.begin);
            try (ChronicleJournal opened = open()) {
                assertThat(opened.damages()).as("a header of zeros").isEqualTo(1);
                assertThat(opened.durables()).isEqualTo(positions(middle.begin));
            }
        }
    }

    @Test
    void aRepairedFileIsGoodAndNothingOfItIsGone() throws IOException {
        byte[] good = Files.readAllBytes(file);
        Excerpt hit = excerpts.get(excerpts.size() - 5);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {(byte) (good[(int) hit.end - 1] ^ 1)}), hit.end - 1);
        }
        byte[] torn = Files.readAllBytes(file);
        assertThat(JournalCheck.of(journal).damaged()).isEqualTo(1);

        Repaired repaired = JournalRepair.of(journal).get(0);

        assertThat(repaired.damage().offset()).isEqualTo(hit.begin);
        assertThat(repaired.batches()).isEqualTo(excerpts.size() - 5);
        byte[] kept = Files.readAllBytes(repaired.kept().orElseThrow());
        assertThat(kept).hasSize((int) repaired.bytesCut());
        for (int i = 0; i < torn.length - hit.begin; i++) {
            assertThat(i < kept.length ? kept[i] : 0).isEqualTo(torn[(int) hit.begin + i]);
        }
        assertThat(JournalCheck.of(journal).damaged()).isZero();
        assertThat(JournalRepair.of(journal)).isEmpty();
        try (ChronicleJournal opened = open()) {
            assertThat(opened.damages()).isZero();
            assertThat(opened.durables()).isEqualTo(positions(hit.begin));
            assertThat(batches.append(opened, A, opened.position(A) + 1, 1)).isEqualTo(Appended.OK);
        }
        assertThat(JournalCheck.of(journal).damaged()).isZero();
    }

    @Test
    void aFileThatIsTooShortIsRepairedWithNothingToKeep() throws IOException {
        Excerpt edge = excerpts.get(excerpts.size() - 5);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(edge.end);
        }

        Repaired repaired = JournalRepair.of(journal).get(0);

        assertThat(repaired.bytesCut()).isZero();
        assertThat(repaired.kept()).isEmpty();
        JournalCheck check = JournalCheck.of(journal);
        assertThat(check.damaged()).isZero();
        assertThat(check.files().get(0).streams().get(A).lastSeq())
                .isEqualTo(positions(edge.end).at(A));
    }
}
