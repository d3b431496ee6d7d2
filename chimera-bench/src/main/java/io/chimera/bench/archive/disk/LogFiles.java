package io.chimera.bench.archive.disk;

import io.chimera.bench.report.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Log files that are rotated, on XFS, by a program in C ({@code log_writer_main.c}). */
final class LogFiles {
    private static final double FILLED = 0.8;
    private static final long SEED = 7;

    private LogFiles() {}

    /** Writes through the page cache, or, ranged, a MiB at a time to the disk at once. */
    static Pace write(String who, DiskSite site, Path folder, boolean isRanged)
            throws IOException, InterruptedException {
        long files = (long) (site.volumeBytes() * FILLED / DiskSite.STREAMS / site.logBytes());
        String said = Tool.run(List.of(
                program(site),
                folder.toString(),
                isRanged ? "ranged" : "buffered",
                Integer.toString(DiskSite.STREAMS),
                Long.toString(site.logBytes()),
                Long.toString(files),
                Long.toString(site.totalBytes()),
                Long.toString(SEED)));
        return parse(who, said);
    }

    /** Reads what the program said. */
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

    /** The program, which is built when it is first needed. */
    private static String program(DiskSite site) throws IOException, InterruptedException {
        Path built = site.home().folder().resolve("chimera-native/target/chimera-logs");
        if (!Files.isExecutable(built)) {
            Path sources = site.home().folder().resolve("chimera-native/src/main/c");
            Tool.run(List.of(Tool.require("make"), "-C", sources.toString(), "measure"));
        }
        return built.toString();
    }
}
