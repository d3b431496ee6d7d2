package io.chimera.bench.capture;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats a capture report as Markdown: packet rates, also in Gb/s, then goals and machine as in every report. */
public final class CaptureTable {
    /** Frame sizes including the checksum, from the minimum to the maximum of Ethernet. */
    private static final List<Integer> SIZES = List.of(64, 128, 256, 512, 1024, 1518);

    private static final List<Integer> TABLE_SIZES = List.of(64, 512, 1518);

    /** Bytes of preamble and inter-frame gap, which also use time on the line. */
    private static final int AROUND = 20;

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
        lines.add("| what | packets per CPU-s | CPU, ns/packet | packets/s | "
                + TABLE_SIZES.stream().map(size -> "Gb/s at " + size + " B").collect(Collectors.joining(" | ")) + " |");
        lines.add("|---|---:|---:|---:|" + "---:|".repeat(TABLE_SIZES.size()));
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
        BigDecimal rate = report.figures().get(who + CaptureReport.WALL_RATE);
        return "| %s | %s | %s | %s | %s |"
                .formatted(
                        who,
                        Rounding.text(report.figures().get(who + CaptureReport.RATE)),
                        Rounding.text(report.figures().get(who + CaptureReport.CPU)),
                        Rounding.text(rate),
                        TABLE_SIZES.stream()
                                .map(size -> Rounding.text(gigabits(rate, size)))
                                .collect(Collectors.joining(" | ")));
    }

    private static BigDecimal gigabits(BigDecimal packetsPerSecond, int size) {
        return Rounding.to(1, packetsPerSecond.doubleValue() * (size + AROUND) * Byte.SIZE / 1e9);
    }

    /**
     * Returns plots: packets per second of processor time, and the paper's Figure 5: Gb/s over the frame size, by
     * variant.
     */
    public List<String> plots() {
        List<String> plots = new ArrayList<>(
                XyChart.barsOf(report, "Packets", "what", CaptureReport.RATE, "packets per CPU-second"));
        List<BigDecimal> rates = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (FileJob job : FileJob.values()) {
            BigDecimal rate = report.figures().get(FilePart.VARIANT + job.key() + CaptureReport.WALL_RATE);
            if (job.isVariant() && rate != null) {
                rates.add(rate);
                names.add(job.key());
            }
        }
        if (!rates.isEmpty()) {
            List<String> sizes = SIZES.stream().map(String::valueOf).toList();
            XyChart chart =
                    new XyChart("Source to sink: " + String.join(", ", names), "bytes of a packet", sizes, "Gb/s");
            rates.forEach(rate ->
                    chart.line(SIZES.stream().map(size -> gigabits(rate, size)).toList()));
            plots.addAll(plots.isEmpty() ? List.of() : List.of(""));
            plots.addAll(chart.block());
        }
        return plots;
    }
}
