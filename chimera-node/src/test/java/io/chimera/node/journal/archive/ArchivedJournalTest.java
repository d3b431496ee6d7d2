package io.chimera.node.journal.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.agent.SystemClock;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import io.chimera.queue.journal.offline.JournalRestore;
import io.chimera.queue.journal.retention.PastFile;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of journal files with impossible contents. */
final class ArchivedJournalTest {
    private static final String NAME = "00000001/20260521-101500T.cq4";
    private static final long HOUR_MS = 3_600_000;
    private static final int CYCLES_BYTES_AT = 24;

    private final MemoryStreamStore store = new MemoryStreamStore();
    private final int stream = store.open(new StreamSettings("journal", JournalRecord.KIND, 0));

    @TempDir
    private Path folder;

    @BeforeEach
    void makeJournal() {
        ChronicleJournal.open(
                        new JournalSettings(
                                folder,
                                new SyncSchedule(SyncPolicy.BATCH, 100),
                                new DiskLimits(1L << 30, 0),
                                new RollLimits(1 << 20, HOUR_MS)),
                        "q1",
                        new SystemClock())
                .close();
    }

    private void append(long fileBytes, long cyclesBytes, long place, int bytes) {
        ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        PastFile file = new PastFile(NAME, folder, fileBytes, 1, 1, "");
        int begin = JournalRecord.write(buffer, file, place, cyclesBytes);
        buffer.putLong(CYCLES_BYTES_AT, cyclesBytes, ByteOrder.LITTLE_ENDIAN);
        buffer.checkLimit(begin + bytes);
        store.append(stream, 1_000_000, buffer, 0, begin + bytes);
    }

    private ArchivedJournal restore() {
        ArchivedJournal archived = new ArchivedJournal(store, "journal");
        try (JournalRestore into = JournalRestore.open(folder)) {
            archived.restore(into, 0, Long.MAX_VALUE);
            assertThat(into.finish()).isZero();
        }
        return archived;
    }

    @Test
    void aFileWithCyclesWithoutMeasureIsDamaged() {
        append(1_000, Integer.MAX_VALUE, 0, 500);
        assertThat(restore().damaged()).hasSize(1);
    }

    @Test
    void aPieceOfOtherLengthsIsNotOfTheFile() {
        append(1_000, 10, 0, 500);
        append(500, 2_000, 500, 600);
        assertThat(restore().bytes()).isZero();
    }

    @Test
    void aPieceLiesInTheFileOrInItsCycles() {
        append(1_000, 2_000, 0, 1_500);
        assertThat(restore().damaged()).hasSize(1);
    }
}
