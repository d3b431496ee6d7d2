package io.chimera.bench.capture;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Formats a capture report as Markdown: packet rates, then goals and machine as in every report. */
public final class CaptureTable {
    private final Report report;

    /** Creates a table of a report. */
    public CaptureTable(Report report) {
        this.report = report;
    }

    /** Returns whether a report is a capture report. */
    public static boolean isFor(Report report) {
        return report.name().equals(CaptureReport.NAME);
    }

    /** Returns the table, each line with a line end. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.addAll(List.of("| what | packets per CPU-s | CPU, ns/packet | packets/s |", "|---|---:|---:|---:|"));
        report.figures().keySet().stream()
                .filter(figure -> figure.endsWith(CaptureReport.RATE))
                .map(figure -> figure.substring(0, figure.length() - CaptureReport.RATE.length()))
                .forEach(who -> lines.add(row(who)));
        List<String> others = report.figures().entrySet().stream()
                .filter(figure -> !isOfCost(figure.getKey()))
                .map(figure -> "| " + figure.getKey() + " | " + Rounding.text(figure.getValue()) + " |")
                .toList();
        if (!others.isEmpty()) {
            lines.addAll(List.of("", "| figure | |", "|---|---:|"));
            lines.addAll(others);
        }
        lines.addAll(List.of("", "| times as many packets | |", "|---|---:|"));
        for (Map.Entry<String, BigDecimal> ratio : report.ratios().entrySet()) {
            lines.add("| " + ratio.getKey() + " | " + Rounding.text(ratio.getValue()) + " |");
        }
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    private boolean isOfCost(String figure) {
        return List.of(CaptureReport.RATE, CaptureReport.WALL_RATE, CaptureReport.CPU).stream()
                .anyMatch(end -> figure.endsWith(end)
                        && report.figures()
                                .containsKey(figure.substring(0, figure.length() - end.length()) + CaptureReport.RATE));
    }

    private String row(String who) {
        return "| %s | %s | %s | %s |"
                .formatted(
                        who,
                        Rounding.text(report.figures().get(who + CaptureReport.RATE)),
                        Rounding.text(report.figures().get(who + CaptureReport.CPU)),
                        Rounding.text(report.figures().get(who + CaptureReport.WALL_RATE)));
    }

    /** Returns a plot of the packets per second of processor time. */
    public List<String> plots() {
        return XyChart.barsOf(report, "Packets", "what", CaptureReport.RATE, "packets per CPU-second");
    }
}
