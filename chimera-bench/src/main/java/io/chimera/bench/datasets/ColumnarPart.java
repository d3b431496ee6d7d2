package io.chimera.bench.datasets;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.datasets.process.DuckDb;
import io.chimera.bench.datasets.process.JobCommands;
import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.bench.peers.Expected;
import io.chimera.bench.peers.counting.CountingStore;
import io.chimera.bench.peers.job.ResultTable;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Rows per second of a job over a Parquet file, divided by those of DuckDB over the same file: one core each, the same
 * aggregates, read over HTTP without a slow path. The job stores its rows exactly once; DuckDB returns its rows. Times
 * have no start of a process.
 */
final class ColumnarPart {
    private static final String RATIO = "stream_to_columnar";
    private static final String OBJECT = "rows.parquet";
    private static final String JOB = "job";
    private static final String PEER = "duckdb";
    private static final long SPLIT_BYTES = 16L << 20;
    private static final double MILLION = 1e6;

    private final DatasetsSite site;
    private final DuckDb duckDb;
    private final Path results;

    private ColumnarPart(DatasetsSite site, DuckDb duckDb) {
        this.site = site;
        this.duckDb = duckDb;
        results = site.bench().folder().resolve("columnar.results");
    }

    static void measure(DatasetsSite site) throws InterruptedException {
        try {
            new ColumnarPart(site, DuckDb.build(site.bench())).compare();
        } catch (IOException e) {
            site.results().fail(RATIO, e);
        }
    }

    private void compare() throws IOException, InterruptedException {
        long rows = site.effort().columnarRows();
        Path file = site.data().file(OBJECT);
        try {
            duckDb.write(file, rows);
            compare(file, rows);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private void compare(Path file, long rows) throws IOException, InterruptedException {
        String url = DatasetsSite.url(site.server().port());
        String from = duckDb.readsHttp() ? url + "/" + OBJECT : file.toString();
        String suffix = duckDb.readsHttp() ? "" : "_of_a_local_file";
        AlternatingRounds rounds = new AlternatingRounds();
        rounds.add(JOB, () -> rows / MILLION / job(url));
        rounds.add(PEER, () -> {
            double seconds = duckDb.aggregate(BenchSite.RECEIVER, from);
            site.log("DuckDB" + suffix, seconds);
            return rows / MILLION / seconds;
        });
        Map<String, List<Double>> rates = rounds.run(site.effort().settingRounds());
        site.results().figure("columnar_job_million_rows_per_s", rates.get(JOB));
        site.results().figure("columnar_duckdb" + suffix + "_million_rows_per_s", rates.get(PEER));
        site.results().ratio(RATIO + suffix, rates.get(JOB), rates.get(PEER));
        List<String> differences = new Expected(duckDb.results()).differences(ResultTable.read(results));
        if (!differences.isEmpty()) {
            throw new IllegalStateException("the job has other results than DuckDB: " + differences);
        }
    }

    private double job(String url) throws IOException, InterruptedException {
        JobCommands commands =
                site.commands().onCore(BenchSite.RECEIVER).with(List.of("-D" + CountingStore.RESULTS + "=" + results));
        JobText text = new JobText(EventKind.ROWS, List.of(OBJECT), SPLIT_BYTES, 1);
        double seconds =
                commands.run(new Order(text, url, 0), StrategyWish.STREAM).jobSeconds();
        site.log("job over Parquet", seconds);
        return seconds;
    }
}
