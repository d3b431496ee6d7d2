package io.chimera.queue.journal.chronicle;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.SystemClock;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.JournalContract;
import io.chimera.queue.journal.SyncPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kills a process while it appends: every record reported as durable must exist afterwards. */
final class JournalCrashIT {
    private static final int ROUNDS = 4;

    /** Chronicle alone waits 20 s and more for a file that a killed process had just begun. */
    @TempDir
    private Path folder;

    private final Random random = new Random(11);

    @ParameterizedTest
    @EnumSource(names = {"NONE", "BATCH"})
    void everyDurableRecordSurvivesKills(SyncPolicy sync) throws Exception {
        long[] durable = new long[JournalCrashChild.STREAMS];
        for (int round = 0; round < ROUNDS; round++) {
            killWhileItAppends(sync, durable);
            check(sync, durable, round);
        }
    }

    private void killWhileItAppends(SyncPolicy sync, long[] durable) throws IOException, InterruptedException {
        Process child = start(sync);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(child.getInputStream(), US_ASCII))) {
            String line = lines.readLine();
            assertThat(line)
                    .as("the child's first line; its errors are in %s", folder.resolve("errors"))
                    .isNotNull();
            long killNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50 + random.nextInt(400));
            boolean isKilled = false;
            while (line != null) {
                if (line.endsWith(".")) {
                    int space = line.indexOf(' ');
                    durable[Integer.parseInt(line, 0, space, 10)] =
                            Long.parseLong(line, space + 1, line.length() - 1, 10);
                }
                // A kill before enough records in every stream would leave nothing to check.
                if (!isKilled
                        && System.nanoTime() - killNs >= 0
                        && Arrays.stream(durable).allMatch(end -> end > 0)) {
                    // SIGKILL; unlike Process.destroyForcibly this leaves the pipe open
                    child.toHandle().destroyForcibly();
                    isKilled = true;
                }
                line = lines.readLine();
            }
            assertThat(isKilled).as("killed, and did not end by itself").isTrue();
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    private Process start(SyncPolicy sync) throws IOException {
        Path root = Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + root.resolve("conf/jvm.options")));
        if (Runtime.version().feature() >= 23) {
            command.add("@" + root.resolve("conf/jvm-23plus.options"));
        }
        command.addAll(List.of(
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                JournalCrashChild.class.getName(),
                folder.resolve("journal").toString(),
                sync.name()));
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile())
                .start();
    }

    private void check(SyncPolicy sync, long[] durable, int round) throws IOException {
        try (Journal journal = ChronicleJournal.open(
                JournalCrashChild.settings(folder.resolve("journal"), sync), "q1", new SystemClock())) {
            for (int i = 0; i < durable.length; i++) {
                long stream = JournalCrashChild.stream(i);
                assertThat(durable[i]).as("durable in round %d", round).isPositive();
                assertThat(journal.position(stream))
                        .as("stream %d in round %d; errors: %s", i, round, Files.readString(folder.resolve("errors")))
                        .isGreaterThanOrEqualTo(durable[i]);
                long base = journal.bases().at(stream);
                assertThat(base).isLessThanOrEqualTo(durable[i]);
                List<List<Long>> batches = JournalContract.read(journal, stream, base, journal.position(stream));
                long next = batches.get(0).get(0);
                assertThat(next).isLessThanOrEqualTo(base + 1);
                for (List<Long> batch : batches) {
                    assertThat(batch.get(0)).isEqualTo(next);
                    next += batch.get(1);
                }
                assertThat(next).isEqualTo(journal.position(stream) + 1);
            }
        }
    }
}
