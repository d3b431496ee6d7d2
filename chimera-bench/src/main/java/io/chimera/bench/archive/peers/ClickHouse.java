package io.chimera.bench.archive.peers;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs ClickHouse in a Python process (chdb): rows in blocks of about one interval each, with bloom filters. */
final class ClickHouse {
    private static final Path FOLDER = Path.of("chimera-bench/peers/clickhouse");
    private static final int TIMES = 7;

    private ClickHouse() {}

    /** Output of the process: a name and a number per line. */
    record Said(List<String> lines) {
        double[] all(String name) {
            return lines.stream()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .toArray();
        }

        double one(String name) throws IOException {
            double[] found = all(name);
            if (found.length != 1) {
                throw new IOException("ClickHouse prints no " + name);
            }
            return found[0];
        }
    }

    /** Loads and queries rows. */
    static Said measure(BenchSite site, RowFile rows) throws IOException, InterruptedException {
        Path home = site.home().folder().resolve(FOLDER);
        Path python = home.resolve("venv/bin/python");
        if (!Files.isExecutable(python)) {
            throw new IOException("chdb is not installed in " + home.resolve("venv") + "; " + ProgramRun.REMEDY);
        }
        Path folder = BenchFolder.emptied(site.folder().resolve("clickhouse"));
        try {
            return new Said(ProgramRun.run(List.of(
                            python.toString(),
                            home.resolve("measure.py").toString(),
                            folder.resolve("data").toString(),
                            rows.path().toString(),
                            Integer.toString(TraceFile.HIT_ADDRESS),
                            Integer.toString(TraceFile.UDP),
                            Integer.toString(TraceFile.MISS_ADDRESS),
                            Integer.toString(TIMES)))
                    .lines()
                    .toList());
        } finally {
            BenchFolder.delete(folder);
        }
    }
}
