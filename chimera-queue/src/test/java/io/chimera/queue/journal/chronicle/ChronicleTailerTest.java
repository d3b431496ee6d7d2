package io.chimera.queue.journal.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.TestRollCycles;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the folders of a journal with the tailer of Chronicle, which knows nothing of Chimera. */
final class ChronicleTailerTest {
    private static final long STREAM = 7;
    private static final int TEXT = 60_000;

    /** 2026-05-21, the time of the first file. */
    private static final Duration START = Duration.ofDays(20_594);

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock();
    private final Batches batches = new Batches();
    private final List<byte[]> appended = new ArrayList<>();

    @Test
    void readsEveryBatchOfEveryStart() throws IOException {
        clock.advance(START);
        write(1, 60);
        clock.advance(Duration.ofMinutes(3));
        write(61, 100);

        assertThat(starts()).hasSize(2);
        assertThat(rollFiles()).hasSizeBetween(5, 9);
        assertThat(read())
                .usingElementComparator((a, b) -> Arrays.compare(a, b))
                .containsExactlyElementsOf(appended);
    }

    private void write(int firstSeq, int lastSeq) {
        JournalSettings settings = new JournalSettings(
                folder,
                new SyncSchedule(SyncPolicy.BATCH, 10),
                new DiskLimits(1L << 30, 0),
                new RollLimits(1 << 20, Duration.ofMinutes(1).toMillis()));
        try (ChronicleJournal journal = ChronicleJournal.open(settings, "q1", clock)) {
            for (int seq = firstSeq; seq <= lastSeq; seq++) {
                assertThat(batches.append(journal, STREAM, seq, 1, TEXT)).isEqualTo(Appended.OK);
                byte[] batch = new byte[BatchLayout.length(batches.buffer(), 0)];
                batches.buffer().getBytes(0, batch);
                appended.add(batch);
            }
        }
    }

    /** Excerpts of all starts, as a program with the default settings of Chronicle reads them. */
    private List<byte[]> read() throws IOException {
        List<byte[]> excerpts = new ArrayList<>();
        for (Path start : starts()) {
            try (ChronicleQueue queue =
                            SingleChronicleQueueBuilder.binary(start).build();
                    ExcerptTailer tailer = queue.createTailer()) {
                for (byte[] next = next(tailer); next != null; next = next(tailer)) {
                    excerpts.add(next);
                }
            }
        }
        return excerpts;
    }

    private static byte[] next(ExcerptTailer tailer) {
        try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent()) {
                return null;
            }
            Bytes<?> bytes = document.wire().bytes();
            byte[] excerpt = new byte[(int) bytes.readRemaining()];
            bytes.read(excerpt);
            return excerpt;
        }
    }

    private List<Path> starts() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> entry.getFileName().toString().matches("\\d{8}"))
                    .sorted()
                    .toList();
        }
    }

    private List<Path> rollFiles() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".cq4")).toList();
        }
    }

    /** Folders of earlier versions name the roll cycle by length and format: both must stay the same. */
    @Test
    void keepsLengthAndFormatOfEarlierVersions() {
        assertThat(JournalRollCycle.SECONDLY.format()).isEqualTo(TestRollCycles.TEST_SECONDLY.format());
        assertThat(JournalRollCycle.SECONDLY.lengthInMillis()).isEqualTo(TestRollCycles.TEST_SECONDLY.lengthInMillis());
        assertThat(JournalRollCycle.SECONDLY.toIndex(123, 45)).isEqualTo(TestRollCycles.TEST_SECONDLY.toIndex(123, 45));
    }
}
