package io.chimera.bench.archive;

import io.chimera.bench.archive.disk.DiskFigures;
import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.util.ArrayList;
import java.util.List;

/** Formats a report of the archive as Markdown: a row per writer, then ratios, goals and machine. */
public final class ArchiveTable {
    /** Name of the report. */
    static final String NAME = "bench archive";

    private static final List<String> DISK =
            List.of(DiskFigures.MEAN, DiskFigures.WORST_SECOND, DiskFigures.WORST_HALF, DiskFigures.LONGEST);

    private final Report report;

    /** Creates a table of a report. */
    public ArchiveTable(Report report) {
        this.report = report;
    }

    /** Returns whether a report is an archive report. */
    public static boolean isFor(Report report) {
        return report.name().equals(NAME);
    }

    /** Returns the tables, each line with a line end. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("| what | mean, MiB/s | worst second, MiB | worst half second, MiB/s | longest wait, ms |");
        lines.add("|---|---:|---:|---:|---:|");
        report.figures().keySet().stream()
                .filter(figure -> figure.endsWith(DiskFigures.MEAN) && !figure.endsWith(DiskFigures.WORST_HALF))
                .map(figure -> figure.substring(0, figure.length() - DiskFigures.MEAN.length()))
                .forEach(who -> lines.add(row(who)));
        List<String> others = report.figures().keySet().stream()
                .filter(figure -> !isOfDisk(figure))
                .map(figure -> "| " + figure + " | " + text(figure) + " |")
                .toList();
        if (!others.isEmpty()) {
            lines.addAll(List.of("", "| figure | |", "|---|---:|"));
            lines.addAll(others);
        }
        lines.addAll(List.of("", "| ratio | |", "|---|---:|"));
        report.ratios().forEach((name, ratio) -> lines.add("| " + name + " | " + Rounding.text(ratio) + " |"));
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    private static boolean isOfDisk(String figure) {
        return DISK.stream().anyMatch(figure::endsWith);
    }

    private String row(String who) {
        return "| %s | %s | %s | %s | %s |"
                .formatted(
                        who,
                        text(who + DiskFigures.MEAN),
                        text(who + DiskFigures.WORST_SECOND),
                        text(who + DiskFigures.WORST_HALF),
                        text(who + DiskFigures.LONGEST));
    }

    /** Returns a plot of the worst seconds. */
    public List<String> plots() {
        return XyChart.barsOf(report, "What the disk took in the worst second", "who", DiskFigures.WORST_SECOND, "MiB");
    }

    private String text(String figure) {
        return Rounding.text(report.figures().get(figure));
    }
}
