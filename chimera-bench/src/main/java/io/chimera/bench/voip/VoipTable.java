package io.chimera.bench.voip;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.util.ArrayList;
import java.util.List;

/** A report of VoIPSTREAM as Markdown: a row per engine, then goals and machine as every report has them. */
public final class VoipTable {
    private final Report report;

    /** A table of a report. */
    public VoipTable(Report report) {
        this.report = report;
    }

    /** Whether a report is one of VoIPSTREAM. */
    public static boolean isFor(Report report) {
        return report.name().equals(VoipReport.NAME);
    }

    /** The table, with a line end behind each line. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("| engine | calls per CPU-s | calls/s | CPU-s | client's CPU-s | RSS, MB | detector CPU-s |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|");
        report.figures().keySet().stream()
                .filter(figure -> figure.endsWith(VoipReport.RATE))
                .map(figure -> figure.substring(0, figure.length() - VoipReport.RATE.length()))
                .forEach(engine -> lines.add("| %s | %s | %s | %s | %s | %s | %s |"
                        .formatted(
                                engine,
                                figure(engine + VoipReport.RATE),
                                figure(engine + VoipReport.WALL_RATE),
                                figure(engine + VoipReport.CPU),
                                figure(engine + VoipReport.FEEDER_CPU),
                                figure(engine + VoipReport.MEMORY),
                                figure(engine + VoipReport.DETECTOR_CPU))));
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    /** Plots: calls per second of processor time and per second, processor time and memory. */
    public List<String> plots() {
        List<String> plots = new ArrayList<>();
        addPlot(plots, "VoIPSTREAM", VoipReport.RATE, "calls per CPU-second");
        addPlot(plots, "VoIPSTREAM, two cores", VoipReport.WALL_RATE, "calls per second");
        addPlot(plots, "VoIPSTREAM, a pass", VoipReport.CPU, "CPU-seconds");
        addPlot(plots, "VoIPSTREAM, memory", VoipReport.MEMORY, "MB");
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
