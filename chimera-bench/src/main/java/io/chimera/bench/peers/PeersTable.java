package io.chimera.bench.peers;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.util.ArrayList;
import java.util.List;

/** A report of engines as Markdown: a row per engine, then goals and machine as every report has them. */
public final class PeersTable {
    private final Report report;

    /** A table of a report. */
    public PeersTable(Report report) {
        this.report = report;
    }

    /** Whether a report is one of engines. */
    public static boolean isFor(Report report) {
        return report.name().equals(PeersReport.NAME);
    }

    /** The table, with a line end behind each line. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "| engine | points per CPU-s | points/s | CPU-s | client's CPU-s | RSS, MB | Chimera does times as much |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|");
        report.figures().keySet().stream()
                .filter(figure -> figure.endsWith(PeersReport.RATE))
                .map(figure -> figure.substring(0, figure.length() - PeersReport.RATE.length()))
                .forEach(engine -> lines.add("| %s | %s | %s | %s | %s | %s | %s |"
                        .formatted(
                                engine,
                                figure(engine + PeersReport.RATE),
                                figure(engine + PeersReport.WALL_RATE),
                                figure(engine + PeersReport.CPU),
                                figure(engine + PeersReport.FEEDER_CPU),
                                figure(engine + PeersReport.MEMORY),
                                Rounding.text(report.ratios().get(engine)))));
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    /** The rates as a plot. */
    public List<String> plots() {
        return XyChart.barsOf(report, "The same job", "engine", PeersReport.RATE, "points per CPU-second");
    }

    private String figure(String name) {
        return Rounding.text(report.figures().get(name));
    }
}
