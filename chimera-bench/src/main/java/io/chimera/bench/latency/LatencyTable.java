package io.chimera.bench.latency;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Formats a latency report as Markdown: a row per sync and load, a row per load for cycles, then goals and machine. */
public final class LatencyTable {
    private static final double US_PER_MS = 1e3;

    private final Report report;

    /** Creates a table of a report. */
    public LatencyTable(Report report) {
        this.report = report;
    }

    /** Returns whether a report is a latency report. */
    public static boolean isFor(Report report) {
        return report.name().equals(LatencyReport.NAME);
    }

    /** Returns the tables, each line with a line end. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("| sync | load | points/s | p50, µs | p99, µs | p99.9, µs | most, µs | of |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|---:|");
        for (Sync sync : Sync.values()) {
            for (int load : LatencyRun.LOADS) {
                lines.add(row(sync.setting(), load + " %", LatencyReport.ACK + sync.setting() + "_" + load));
            }
        }
        lines.add(row("sync of a plain file", "50 %", LatencyReport.DISK));
        lines.add("");
        lines.add("| load | close of a cycle to rows stored: p50, ms | p99, ms | of |");
        lines.add("|---:|---:|---:|---:|");
        for (int load : LatencyRun.LOADS) {
            String name = LatencyReport.CYCLE + load;
            lines.add("| %d %% | %s | %s | %s |"
                    .formatted(load, text(name + "_p50_ms"), text(name + "_p99_ms"), text(name + "_count")));
        }
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    private String row(String what, String load, String name) {
        return "| %s | %s | %s | %s | %s | %s | %s | %s |"
                .formatted(
                        what,
                        load,
                        text(name + LatencyReport.RATE),
                        text(name + "_p50_us"),
                        text(name + "_p99_us"),
                        text(name + "_p999_us"),
                        text(name + "_max_us"),
                        text(name + "_count"));
    }

    /** Returns one plot of waits per sync. */
    public List<String> plots() {
        List<String> lines = new ArrayList<>();
        for (Sync sync : Sync.values()) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(new XyChart(
                            "Answer to a request, sync " + sync.setting() + ": p50, p99 and p99.9, from low to high",
                            "share of the maximum rate",
                            LatencyRun.LOADS.stream().map(load -> load + " %").toList(),
                            "ms")
                    .line(millis(sync, "_p50_us"))
                    .line(millis(sync, "_p99_us"))
                    .line(millis(sync, "_p999_us"))
                    .block());
        }
        return lines;
    }

    private List<BigDecimal> millis(Sync sync, String percentile) {
        return LatencyRun.LOADS.stream()
                .map(load -> LatencyReport.ACK + sync.setting() + "_" + load + percentile)
                .map(name -> report.figures().getOrDefault(name, BigDecimal.ZERO))
                .map(micros -> Rounding.to(3, micros.doubleValue() / US_PER_MS))
                .toList();
    }

    private String text(String figure) {
        return Rounding.text(report.figures().get(figure));
    }
}
