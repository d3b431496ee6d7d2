package io.chimera.bench.datasets;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Formats a report of data sets as Markdown: ratios with their spread, figures, then goals as in every report. */
public final class DatasetsTable {
    private final Report report;

    /** Creates a table of a report. */
    public DatasetsTable(Report report) {
        this.report = report;
    }

    /** Returns whether a report is of data sets. */
    public static boolean isFor(Report report) {
        return report.name().equals(DatasetsReport.NAME);
    }

    /** Returns the table, each line with a line end. */
    public String text() {
        List<String> lines = new ArrayList<>(List.of("| ratio | median | spread |", "|---|---:|---:|"));
        report.ratios()
                .forEach((name, value) ->
                        lines.add("| %s | %s | %s |".formatted(name, Rounding.text(value), spread(name))));
        lines.addAll(List.of("", "| figure | median |", "|---|---:|"));
        report.figures().forEach((name, value) -> {
            if (!name.endsWith(DatasetsReport.SPREAD)) {
                lines.add("| " + name + " | " + Rounding.text(value) + " |");
            }
        });
        lines.addAll(new StreamingPaperTable(report).lines());
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    private String spread(String ratio) {
        BigDecimal spread = report.figures().get(ratio + DatasetsReport.SPREAD);
        return spread == null ? "one round" : Rounding.text(spread);
    }

    /** Returns a plot of the times of stream in all settings, and the plots of the figures of the paper. */
    public List<String> plots() {
        List<String> plots = new ArrayList<>(
                XyChart.barsOf(report, "Stream by path and computation", "setting", "_stream_s", "seconds"));
        plots.addAll(new StreamingPaperTable(report).plots());
        return plots;
    }
}
