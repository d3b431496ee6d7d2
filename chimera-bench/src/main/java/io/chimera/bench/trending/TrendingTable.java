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

    /** Plots: tweets per second of processor time and per second, processor time and memory. */
    public List<String> plots() {
        List<String> plots = new ArrayList<>();
        addPlot(plots, "Hashtags of tweets", TrendingReport.RATE, "tweets per CPU-second");
        addPlot(plots, "Hashtags of tweets, two cores", TrendingReport.WALL_RATE, "tweets per second");
        addPlot(plots, "Hashtags of tweets, a pass", TrendingReport.CPU, "CPU-seconds");
        addPlot(plots, "Hashtags of tweets, memory", TrendingReport.MEMORY, "MB");
        return plots;
    }

    private void addPlot(List<String> plots, String title, String figure, String axis) {
        List<String> bars = XyChart.barsOf(report, title, "engine", figure, axis);
        if (!plots.isEmpty() && !bars.isEmpty()) {
            plots.add("");
        }
        plots.addAll(bars);
    }

    private String figure(String name) {
        return Rounding.text(report.figures().get(name));
    }
}
