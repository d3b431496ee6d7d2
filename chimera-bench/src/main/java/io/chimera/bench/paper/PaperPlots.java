package io.chimera.bench.paper;

import io.chimera.bench.paper.disk.SaturatedDisk;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Plots of a report of the paper's measurements, one per figure of the paper. Missing measurements have no plot. */
final class PaperPlots {
    private static final String BULK = "bulk size, points";
    private static final String RATE_LABEL = "points/s";

    private final Report report;
    private final List<String> lines = new ArrayList<>();

    PaperPlots(Report report) {
        this.report = report;
    }

    /** Returns the plots. */
    List<String> plots() {
        lines.clear();
        overBulks(
                "Figure 5a: ring here per core, and paper (flat)",
                List.of(PaperCatalog.RING),
                PaperReport.CORE_RATE,
                List.of(PaperCatalog.RING_CLAIM.perCore()));
        overBulks(
                "Figure 5b: journal on tmpfs, on disk, on disk with syncs; paper on tmpfs and disk (flat)",
                List.of(PaperCatalog.JOURNAL_TMPFS, PaperCatalog.JOURNAL_DISK, PaperCatalog.JOURNAL_SYNCED),
                PaperReport.MEGABYTES,
                List.of(PaperCatalog.TMPFS_CLAIM.megabytesPerSecond(), PaperCatalog.DISK_CLAIM.megabytesPerSecond()));
        bars(
                "Figure 6: channel here per core, bars; paper, line",
                List.of(
                        PaperCatalog.channel(PaperCatalog.CHANNEL_1GBIT),
                        PaperCatalog.channel(PaperCatalog.CHANNEL_LOCAL)));
        bars("Figure 7: warehouse here per core, bars; paper, line", rowsOf(PaperPart.FIGURE_7));
        overTime("Figure 8: points accepted on a saturated disk, over time", PaperReport.STEP, RATE_LABEL);
        overTime("Figure 8: requests answered 503, over time", PaperReport.REFUSED_STEP, "answers/s");
        return lines;
    }

    private void overBulks(String title, List<String> prefixes, String figure, List<Double> paper) {
        List<Integer> bulks = PaperCatalog.BULKS.stream()
                .filter(bulk -> report.figures().containsKey(prefixes.get(0) + bulk + figure))
                .toList();
        if (bulks.isEmpty()) {
            return;
        }
        String label = figure.equals(PaperReport.MEGABYTES) ? "MB/s" : RATE_LABEL;
        XyChart chart =
                new XyChart(title, BULK, bulks.stream().map(String::valueOf).toList(), label);
        for (String prefix : prefixes) {
            chart.line(bulks.stream().map(bulk -> value(prefix + bulk + figure)).toList());
        }
        for (double flat : paper) {
            chart.line(Collections.nCopies(bulks.size(), Rounding.to(0, flat)));
        }
        add(chart);
    }

    private static List<PaperRow> rowsOf(PaperPart part) {
        return PaperCatalog.rows().stream().filter(row -> row.part() == part).toList();
    }

    private void bars(String title, List<PaperRow> rows) {
        List<PaperRow> measured = rows.stream()
                .filter(row -> report.figures().containsKey(row.name() + PaperReport.CORE_RATE))
                .toList();
        if (measured.isEmpty()) {
            return;
        }
        List<String> places = measured.stream().map(PaperRow::name).toList();
        add(new XyChart(title, "row", places, RATE_LABEL)
                .bars(measured.stream()
                        .map(row -> value(row.name() + PaperReport.CORE_RATE))
                        .toList())
                .line(measured.stream()
                        .map(row -> Rounding.to(0, row.claim().perCore()))
                        .toList()));
    }

    private void overTime(String title, String infix, String label) {
        List<PaperRow> rows = rowsOf(PaperPart.FIGURE_8).stream()
                .filter(row -> report.figures().containsKey(row.name() + infix + 1))
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        List<Integer> steps =
                IntStream.rangeClosed(1, SaturatedDisk.STEPS).boxed().toList();
        XyChart chart = new XyChart(
                title,
                "twelfth of the time; a line per cycle length",
                steps.stream().map(String::valueOf).toList(),
                label);
        for (PaperRow row : rows) {
            chart.line(
                    steps.stream().map(step -> value(row.name() + infix + step)).toList());
        }
        add(chart);
    }

    private void add(XyChart chart) {
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.addAll(chart.block());
    }

    private BigDecimal value(String figure) {
        return report.figures().getOrDefault(figure, BigDecimal.ZERO);
    }
}
