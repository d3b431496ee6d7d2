package io.chimera.bench.archive.disk;

import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Writes rotated log files on XFS with a C program ({@code log_writer_main.c}). */
final class LogFiles {
    private static final double FILLED = 0.8;
    /** Number of log files that would fill the volume. */
    private static final int LOGS = 128;

    private static final long SEED = 7;

    private LogFiles() {}

    /** Ways to write. */
    enum Kind {
        /** One writer for all streams, in the order of records, through the page cache. */
        BUFFERED("buffered", "one"),
        /** One writer for all streams, which starts the write-back of each full MiB at once. */
        RANGED("ranged", "one"),
        /** One thread per stream at full speed, through the page cache. */
        THREADS("buffered", "each");

        private final String writes;
        private final String writers;

        Kind(String writes, String writers) {
            this.writes = writes;
            this.writers = writers;
        }
    }

    /** Writes twice the capacity of the volume to logs that fill most of the volume. */
    static Pace write(String who, Kind kind, DiskSite site, Path folder, long volumeBytes)
            throws IOException, InterruptedException {
        long logBytes = volumeBytes / LOGS;
        long files = (long) (volumeBytes * FILLED / DiskSite.STREAMS / logBytes);
        String said = ProgramRun.run(List.of(
                program(site),
                folder.toString(),
                kind.writes,
                kind.writers,
                Integer.toString(DiskSite.STREAMS),
                Long.toString(logBytes),
                Long.toString(files),
                Long.toString(2 * volumeBytes),
                Long.toString(SEED)));
        return parse(who, said);
    }

    /** Parses the output of the program. */
    static Pace parse(String who, String said) {
        Timeline timeline = new Timeline(0);
        long longestNs = 0;
        long tookNs = 0;
        int bucket = 0;
        for (String line : said.lines().toList()) {
            if (line.startsWith("longest ")) {
                longestNs = TimeUnit.MICROSECONDS.toNanos(number(line));
            } else if (line.startsWith("end ")) {
                tookNs = TimeUnit.MILLISECONDS.toNanos(number(line));
            } else {
                timeline.addTo(bucket++, Long.parseLong(line));
            }
        }
        return Pace.of(who, timeline, tookNs, longestNs);
    }

    private static long number(String line) {
        return Long.parseLong(line.substring(line.indexOf(' ') + 1));
    }

    /** Returns the program, which is built on first use. */
    private static String program(DiskSite site) throws IOException, InterruptedException {
        Path built = site.home().folder().resolve("chimera-native/target/chimera-logs");
        if (!Files.isExecutable(built)) {
            Path sources = site.home().folder().resolve("chimera-native/src/main/c");
            ProgramRun.run(List.of(ProgramRun.require("make"), "-C", sources.toString(), "measure"));
        }
        return built.toString();
    }
}
