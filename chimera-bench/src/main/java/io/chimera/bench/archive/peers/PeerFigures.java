package io.chimera.bench.archive.peers;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.List;

/** Turns measurements of the archive and its alternatives into figures, ratios and goals of a report. */
public final class PeerFigures {
    static final String LIVE_CPU = "archive_live_cpu_ns_per_packet";
    static final String STENOGRAPHER_CPU = "stenographer_cpu_ns_per_packet";
    static final String FILE_CPU = "archive_file_cpu_ns_per_packet";
    static final String FILE_RATE = "archive_file_packets_per_s";
    static final String TRACE_INDEX_BYTES = "archive_index_bytes_per_packet";
    static final String INDEX_BYTES = "index_bytes_per_packet";
    static final String INDEX_NS = "index_ns_per_packet";
    static final String PAPER_NS = "index_paper_ns_per_packet";
    static final String DISTRIBUTED_BYTES = "distributed_index_bytes_per_packet";
    static final String INDEX_MISS_PACKETS = "index_miss_packets";
    static final String INDEX_MISS_DATA = "index_miss_data_bytes";
    static final String INDEX_MISS_READS = "index_miss_reads";
    static final String INDEX_MISS_BYTES = "index_miss_bytes";
    static final String STENOGRAPHER_INDEX_BYTES = "stenographer_index_bytes_per_packet";
    static final String HIT_PACKETS = "hit_packets";
    static final String HIT = "archive_hit_ms";
    static final String HIT_FIRST = "archive_hit_first_ms";
    static final String MISS = "archive_miss_ms";
    static final String MISS_FIRST = "archive_miss_first_ms";
    static final String STENOGRAPHER_HIT = "stenographer_hit_ms";
    static final String STENOGRAPHER_MISS = "stenographer_miss_ms";
    static final String POSTGRES_RATE = "postgres_copy_rows_per_s";
    static final String POSTGRES_CPU = "postgres_copy_cpu_ns_per_row";
    static final String POSTGRES_SCAN = "postgres_scan_ms";
    static final String POSTGRES_SCAN_CPU = "postgres_scan_cpu_ms";
    static final String CLICKHOUSE_RATE = "clickhouse_insert_rows_per_s";
    static final String CLICKHOUSE_INDEX_BYTES = "clickhouse_index_bytes_per_packet";
    static final String CLICKHOUSE_HIT = "clickhouse_hit_ms";
    static final String CLICKHOUSE_MISS = "clickhouse_miss_ms";

    private static final String INDEX_MISS_SHARE = "index_miss_share";

    /** Times below this many milliseconds are rounded to the microsecond. */
    private static final double SMALL = 10;

    private final PeerResults results;
    private final Findings findings = new Findings();

    private PeerFigures(PeerResults results) {
        this.results = results;
    }

    /** Returns the figures of the results. */
    public static Findings of(PeerResults results) {
        PeerFigures figures = new PeerFigures(results);
        results.all().forEach((name, value) -> figures.findings.figure(name, rounded(name, value)));
        figures.besideOthers();
        figures.index();
        return figures.findings;
    }

    private void besideOthers() {
        atMost("stenographer_cpu", LIVE_CPU, STENOGRAPHER_CPU, "0.7");
        atLeast("stenographer_hit", STENOGRAPHER_HIT, HIT, "2");
        ratio("stenographer_hit_cached", cached(STENOGRAPHER_HIT), HIT);
        ratio("stenographer_miss", STENOGRAPHER_MISS, MISS);
        ratio("stenographer_index", STENOGRAPHER_INDEX_BYTES, TRACE_INDEX_BYTES);
        atLeast("postgres_copy", FILE_RATE, POSTGRES_RATE, "2");
        atLeast("postgres_scan", POSTGRES_SCAN, MISS, "50");
        atLeast("clickhouse_miss", CLICKHOUSE_MISS, MISS, "1");
        ratio("clickhouse_index", CLICKHOUSE_INDEX_BYTES, TRACE_INDEX_BYTES);
    }

    private void index() {
        atLeast("index_paper", PAPER_NS, INDEX_NS, "1.7");
        atLeast("index_made_paper", made(PAPER_NS), made(INDEX_NS), "1.7");
        for (String what : List.of(INDEX_NS, made(INDEX_NS))) {
            findings.atMost(what, "100");
        }
        for (String what : List.of(INDEX_BYTES, made(INDEX_BYTES))) {
            findings.atMost(what, "2");
        }
        findings.atMost(DISTRIBUTED_BYTES, "0.5");
        findings.atMost(INDEX_MISS_READS, "200");
        if (results.of(INDEX_MISS_BYTES).isPresent()) {
            double data = results.of(INDEX_MISS_DATA).orElseThrow();
            findings.ratio(
                    INDEX_MISS_SHARE,
                    Rounding.to(6, results.of(INDEX_MISS_BYTES).get() / data));
            findings.atMost(INDEX_MISS_SHARE, "0.0002");
        }
    }

    /** Returns the name of an index figure for synthetic packets like the paper's. */
    static String made(String figure) {
        return figure.replace("index_", "index_made_");
    }

    /** Returns the name of a time with all data in the page cache. */
    static String cached(String time) {
        return time.replace("_ms", "_cached_ms");
    }

    private static BigDecimal rounded(String name, double value) {
        if (name.endsWith("_bytes_per_packet")) {
            return Rounding.to(2, value);
        }
        return Rounding.to(name.endsWith("_ms") ? value < SMALL ? 3 : 1 : 0, value);
    }

    private void ratio(String name, String of, String in) {
        if (results.of(of).isPresent() && results.of(in).isPresent()) {
            findings.ratio(
                    name, Rounding.to(2, results.of(of).get() / results.of(in).get()));
        }
    }

    private void atLeast(String name, String of, String in, String goal) {
        ratio(name, of, in);
        findings.atLeast(name, goal);
    }

    private void atMost(String name, String of, String in, String goal) {
        ratio(name, of, in);
        findings.atMost(name, goal);
    }
}
