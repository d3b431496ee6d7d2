package io.chimera.queue.journal.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.cluster.Positions;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalContract;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A full disk refuses appends, and no accepted record is lost. Needs to mount file systems, so only root can run this
 * test.
 */
final class FullDiskIT {
    private static final long A = 0xA;
    private static final int TEXT = 50_000;

    @TempDir
    private Path folder;

    private final Batches batches = new Batches();
    private Path mounted;

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    private Path mount(String... options) throws IOException, InterruptedException {
        Path point = Files.createDirectory(folder.resolve("mounted"));
        String[] command = new String[options.length + 2];
        command[0] = "mount";
        System.arraycopy(options, 0, command, 1, options.length);
        command[options.length + 1] = point.toString();
        assumeTrue(run(command), "only root may mount a small disk: " + List.of(command));
        mounted = point;
        return point;
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted != null) {
            // Chronicle unmaps in the background
            Waits.await().until(() -> run("umount", mounted.toString()));
        }
    }

    @Test
    void tmpfs() throws Exception {
        fillsAndGoesOn(mount("-t", "tmpfs", "-o", "size=16m", "none"));
    }

    @Test
    void ext4() throws Exception {
        Path image = folder.resolve("image");
        Files.write(image, new byte[24 << 20]);
        assumeTrue(run("/sbin/mkfs.ext4", "-q", image.toString()), "mkfs.ext4 is needed to make a small disk");
        fillsAndGoesOn(mount("-o", "loop", image.toString()));
    }

    private ChronicleJournal open(Path disk) {
        JournalSettings settings = new JournalSettings(
                disk.resolve("journal"),
                new SyncSchedule(SyncPolicy.BATCH, 100),
                new DiskLimits(1L << 30, 0),
                new RollLimits(4 << 20, 60_000));
        return ChronicleJournal.open(settings, "q1", new SystemClock());
    }

    /** Appends until the disk is full and returns the last sequence number. */
    private long fill(Journal journal, long firstSeq) {
        long seq = firstSeq;
        while (batches.append(journal, A, seq, 1, TEXT) == Appended.OK) {
            seq++;
        }
        journal.sync();
        return seq - 1;
    }

    /**
     * Appends a number of batches with retries: the blocks of a deleted file are free only after Chronicle has unmapped
     * the file.
     */
    private void append(Journal journal, long firstSeq, int count) {
        for (long seq = firstSeq; seq < firstSeq + count; seq++) {
            long next = seq;
            Waits.await()
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> batches.append(journal, A, next, 1, TEXT) == Appended.OK);
        }
    }

    private void fillsAndGoesOn(Path disk) {
        long last;
        try (ChronicleJournal journal = open(disk)) {
            last = fill(journal, 1);
            assertThat(last).as("batches of 50 kB until it is full").isBetween(100L, 500L);
            assertThat(journal.trouble()).contains("refuses", "No space left", "Free some space");
            assertThat(journal.durable(A)).isEqualTo(last);
            assertThat(JournalContract.read(journal, A, 0, last)).hasSize((int) last);
        }
        try (ChronicleJournal journal = open(disk)) {
            assertThat(journal.position(A)).as("opened on a full disk").isEqualTo(last);
            assertThat(JournalContract.read(journal, A, 0, last)).hasSize((int) last);
            assertThat(batches.append(journal, A, last + 1, 1)).isEqualTo(Appended.FULL);

            journal.truncate(Positions.of(A, last));
            assertThat(journal.bases()).isEqualTo(Positions.of(A, last));
            append(journal, last + 1, 80);

            // all files are deleted, including the file being written
            long all = fill(journal, last + 81);
            journal.truncate(Positions.of(A, all));
            append(journal, all + 1, 80);
            assertThat(JournalContract.read(journal, A, all, all + 80)).hasSize(80);
        }
    }
}
