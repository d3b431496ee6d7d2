package io.chimera.bench.paper;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Formats a report of the paper's measurements as Markdown. */
public final class PaperTable {
    private static final double MILLION = 1e6;

    private final Report report;

    /** Creates a table of a report. */
    public PaperTable(Report report) {
        this.report = report;
    }

    /** Returns whether a report is of the paper's measurements. */
    public static boolean isFor(Report report) {
        return report.name().equals(PaperReport.NAME);
    }

    /** Returns the tables, each line with a line end. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.addAll(List.of(
                "| row | part | guarantee | paper, points/s | cores | per core | here, points/s | cores | per core |"
                        + " here / paper, per core |",
                "|---|---|---|---:|---:|---:|---:|---:|---:|---:|"));
        measured(PaperReport.CORE_RATE).forEach(row -> lines.add(row(row)));
        lines.addAll(List.of(
                "",
                "Table II in millions per second: the paper / here per core.",
                "",
                "| direction | parsing | ring buffer | journaler | channel | extraction | staging |",
                "|---|---:|---:|---:|---:|---:|---:|"));
        PaperTableTwo.LINES.forEach(line -> lines.add(line.text(this::millionsPerCore)));
        lines.addAll(List.of("", "| row | paper, MB/s | here, MB/s | here per core / paper |", "|---|---:|---:|---:|"));
        measured(PaperReport.MEGABYTES).forEach(row -> lines.add(megabytes(row)));
        lines.addAll(List.of(
                "",
                "| row | answers 503 | lost points | cycles | slowest / median cycle | late / early rate | disk / limit | resident, MB"
                        + " | dirty, MB |",
                "|---|---:|---:|---:|---:|---:|---:|---:|---:|"));
        measured("_answers_503").forEach(row -> lines.add(saturated(row.name())));
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    private List<PaperRow> measured(String figure) {
        return PaperCatalog.rows().stream()
                .filter(row -> report.figures().containsKey(row.name() + figure))
                .toList();
    }

    private String row(PaperRow row) {
        PaperClaim claim = row.claim();
        return "| %s | %s | %s | %s | %d | %s | %s | %s | %s | %s |"
                .formatted(
                        row.name(),
                        row.part().text(),
                        row.guarantee().text(),
                        Rounding.text(Rounding.to(0, claim.pointsPerSecond())),
                        claim.cores(),
                        Rounding.text(Rounding.to(0, claim.perCore())),
                        figure(row.name() + PaperReport.RATE),
                        figure(row.name() + PaperReport.CORES),
                        figure(row.name() + PaperReport.CORE_RATE),
                        ratio(row.name() + PaperReport.TO_PAPER));
    }

    private String megabytes(PaperRow row) {
        double paper = row.claim().megabytesPerSecond();
        return "| %s | %s | %s | %s |"
                .formatted(
                        row.name(),
                        paper == 0 ? "–" : Rounding.text(Rounding.to(0, paper)),
                        figure(row.name() + PaperReport.MEGABYTES),
                        ratio(row.name() + PaperReport.MEGABYTES_TO_PAPER));
    }

    private String saturated(String name) {
        return "| %s | %s | %s | %s | %s | %s | %s | %s | %s |"
                .formatted(
                        name,
                        figure(name + "_answers_503"),
                        figure(name + "_lost_points"),
                        figure(name + "_cycles"),
                        figure(name + "_slowest_to_median_cycle"),
                        ratio(name + PaperReport.LATE_TO_EARLY),
                        ratio(name + PaperReport.TO_DISK),
                        figure(name + "_resident_mb"),
                        figure(name + "_dirty_mb"));
    }

    private String millionsPerCore(String row) {
        BigDecimal rate = report.figures().get(row + PaperReport.CORE_RATE);
        return rate == null ? "–" : Rounding.text(Rounding.to(1, rate.doubleValue() / MILLION));
    }

    private String figure(String name) {
        return Rounding.text(report.figures().get(name));
    }

    private String ratio(String name) {
        return Rounding.text(report.ratios().get(name));
    }

    /** Returns the plots of the figures with results. */
    public List<String> plots() {
        return new PaperPlots(report).plots();
    }
}
