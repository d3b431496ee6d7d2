package io.chimera.node.journal.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SerialExecutor;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.config.JournalConfig;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.node.Invocation;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import io.chimera.queue.replay.CycleReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journal files are archived in a volume and restored. */
final class JournalArchiveTest {
    private static final long A = 0xA;
    private static final long B = 0xB;
    private static final int TEXT = 60_000;
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();

    private final Clock clock = new SystemClock();
    private final Batches batches = new Batches();

    @TempDir
    private Path folder;

    @Test
    void cyclesWhoseFilesAreGoneCanBeReadAgainWhenTheyWerePutBack() {
        PastCycle first = new PastCycle(1, CycleTime.of(clock.epochMs()), Positions.of(A, 0), Positions.of(A, 25));
        PastCycle second = new PastCycle(2, CycleTime.of(clock.epochMs()), Positions.of(A, 25), Positions.of(A, 50));
        try (ChronicleJournal journal = open(0)) {
            fill(journal, A, 1, 60);
            journal.retained().note(first);
            journal.retained().note(second);
            journal.truncate(Positions.of(A, 60));
            fill(journal, B, 1, 20);
            journal.truncate(Positions.of(B, 0)); // removes every file of the first stream
            journal.truncate(Positions.of(B, 20));
            journal.truncate(Positions.of(B, 20));
            assertThat(journal.archived().kept()).isGreaterThan(3);
            assertThat(journal.retained().canRead(new StreamRange(A, 0, 50))).isFalse();
            assertThat(journal.retained().cycles()).isEmpty();
        }
        assertThat(Invocation.of("archive", "ls", volume()).out()).containsPattern("journal +journal ");
        assertThat(restore("--after", "1h ago")).containsPattern("^[1-9]\\d* files restored");
        assertThat(restore("--after", "1h ago")).startsWith("0 files restored");
        try (ChronicleJournal journal = open(HOUR_MS)) {
            assertThat(journal.bases().at(A))
                    .as("nothing of it is taken for new")
                    .isEqualTo(journal.durables().at(A))
                    .isGreaterThanOrEqualTo(50);
            assertThat(journal.retained().cycles()).containsEntry(1L, first).containsEntry(2L, second);
            CycleReader reader = new CycleReader(journal);
            for (PastCycle cycle : journal.retained().cycles().values()) {
                assertThat(reader.covers(cycle.records())).isTrue();
                assertThat(records(reader.open(cycle.records()))).isEqualTo(25);
            }
            fill(journal, B, 21, 30);
            long kept = journal.archived().kept();
            journal.truncate(Positions.of(A, 60, B, 20));
            assertThat(journal.archived().kept())
                    .as("they are in the archive already")
                    .isEqualTo(kept);
        }
    }

    @Test
    void onlyFilesOfTheSpanOfTimeArePutBack() {
        try (ChronicleJournal journal = open(0)) {
            fill(journal, A, 1, 60);
            journal.truncate(Positions.of(A, 60));
            journal.truncate(Positions.of(A, 60));
        }
        String longAgo = Instant.ofEpochMilli(clock.epochMs() - HOUR_MS).toString();
        assertThat(restore("--after", "2h ago", "--before", longAgo)).startsWith("0 files restored");
        assertThat(restore("--after", longAgo)).doesNotStartWith("0 files");
    }

    private String restore(String... span) {
        String[] arguments = new String[span.length + 5];
        String[] before = {"journal", "restore", folder.toString(), "--in", volume()};
        System.arraycopy(before, 0, arguments, 0, before.length);
        System.arraycopy(span, 0, arguments, before.length, span.length);
        Invocation restored = Invocation.of(arguments);
        assertThat(restored.exitCode()).as(restored.err()).isZero();
        return restored.out();
    }

    private String volume() {
        return folder.resolve("journal.volume").toString();
    }

    private ChronicleJournal open(long retainMs) {
        JournalSettings settings = new JournalSettings(
                folder.resolve("journal"),
                new SyncSchedule(SyncPolicy.BATCH, 100),
                new DiskLimits(1L << 30, 0),
                new RollLimits(1 << 20, HOUR_MS));
        VolumeConfig config = Sections.of(
                        JournalConfig.class,
                        "archive",
                        Sections.of(VolumeConfig.class, "size", ByteSize.ofMebibytes(64)))
                .archive();
        return ChronicleJournal.open(
                settings.retaining(retainMs, 1L << 30),
                "q1",
                clock,
                SerialExecutor.inline(),
                JournalArchive.open(config, folder, clock),
                SerialExecutor.inline());
    }

    /** Appends records of about 60 kB each, 17 per file. */
    private void fill(Journal journal, long stream, int firstSeq, int lastSeq) {
        for (int seq = firstSeq; seq <= lastSeq; seq++) {
            assertThat(batches.append(journal, stream, seq, 1, TEXT)).isEqualTo(Journal.Appended.OK);
        }
    }

    private static long records(BatchFeed feed) {
        long records = 0;
        try (feed) {
            while (feed.next() == BatchFeed.Step.BATCH) {
                records += BatchLayout.count(feed.buffer(), feed.offset());
            }
        }
        return records;
    }
}
