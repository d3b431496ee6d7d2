package io.chimera.bench.trending;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.util.ArrayList;
import java.util.List;

/** A report of engines over tweets as Markdown: a row per engine, then goals and machine as every report has them. */
public final class TrendingTable {
    private final Report report;

    /** A table of a report. */
    public TrendingTable(Report report) {
        this.report = report;
    }

    /** Whether a report is one of engines over tweets. */
    public static boolean isFor(Report report) {
        return report.name().equals(TrendingReport.NAME);
    }

    /** The table, with a line end behind each line. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "| engine | tweets per CPU-s | tweets/s | CPU-s | client's CPU-s | RSS, MB | Chimera does times as much |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|");
        report.figures().keySet().stream()
                .filter(figure -> figure.endsWith(TrendingReport.RATE))
                .map(figure -> figure.substring(0, figure.length() - TrendingReport.RATE.length()))
                .forEach(engine -> lines.add("| %s | %s | %s | %s | %s | %s | %s |"
                        .formatted(
                                engine,
                                figure(engine + TrendingReport.RATE),
                                figure(engine + TrendingReport.WALL_RATE),
                                figure(engine + TrendingReport.CPU),
                                figure(engine + TrendingReport.FEEDER_CPU),
                                figure(engine + TrendingReport.MEMORY),
                                Rounding.text(report.ratios().get(engine)))));
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    /** The rates as plots: per second of processor time, and per second. */
    public List<String> plots() {
        List<String> plots = new ArrayList<>(
                XyChart.barsOf(report, "Hashtags of tweets", "engine", TrendingReport.RATE, "tweets per CPU-second"));
        if (!plots.isEmpty()) {
            plots.add("");
        }
        plots.addAll(XyChart.barsOf(
                report, "Hashtags of tweets, two cores", "engine", TrendingReport.WALL_RATE, "tweets per second"));
        return plots;
    }

    private String figure(String name) {
        return Rounding.text(report.figures().get(name));
    }
}
