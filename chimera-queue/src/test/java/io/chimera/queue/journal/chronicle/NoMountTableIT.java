package io.chimera.queue.journal.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.common.agent.SystemClock;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A journal accepts points when the mount table does not list its file system, as in a plain chroot. Needs a mount
 * namespace and a chroot, so only root can run this test.
 */
final class NoMountTableIT {
    private static final long STREAM = 0xA;

    /**
     * Creates a root directory of bind-mounted folders that is not itself a mount point, so that the mount table has no
     * entry for "/".
     */
    private static final String CHROOT = """
        root=$1; shift
        for entry in /*; do
          if [ -L "$entry" ]; then cp -a "$entry" "$root$entry"
          elif [ -d "$entry" ]; then mkdir -p "$root$entry" && mount --rbind "$entry" "$root$entry"
          fi
        done
        exec chroot "$root" "$@"
        """;

    @TempDir
    private Path folder;

    @Test
    void appendsWithoutAMountTable() throws Exception {
        assumeTrue(run(List.of("unshare", "--mount", "true")), "only root may make a mount namespace");

        List<String> command = List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                CHROOT,
                "sh",
                Files.createDirectory(folder.resolve("root")).toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@"
                        + Path.of(System.getProperty("basedir", ""))
                                .toAbsolutePath()
                                .getParent()
                                .resolve("conf/jvm.options"),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                "/journal");

        assertThat(run(command)).as(Files.readString(folder.resolve("output"))).isTrue();
    }

    private boolean run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        try {
            return process.waitFor(5, TimeUnit.MINUTES) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Appends one batch to a journal that must keep a reserve free. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            JournalSettings settings = new JournalSettings(
                    Path.of(arguments[0]),
                    new SyncSchedule(SyncPolicy.BATCH, 100),
                    new DiskLimits(1L << 30, 1 << 20),
                    new RollLimits(1 << 20, 60_000));
            try (ChronicleJournal journal = ChronicleJournal.open(settings, "q1", new SystemClock())) {
                Journal.Appended appended = new Batches().append(journal, STREAM, 1, 1);
                journal.sync();
                if (appended != Journal.Appended.OK || journal.durable(STREAM) != 1) {
                    throw new IllegalStateException(appended + ": " + journal.trouble());
                }
            }
        }
    }
}
