package io.chimera.bench.datasets;

import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Figures of the paper of 2016 on Stream&amp;Compute and Copy&amp;Compute beside those of a report. The values of the
 * paper are those in its text; its plots have more.
 */
final class StreamingPaperTable {
    private static final String SOURCES_1 = "_sources_1_mb_per_s";
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private static final List<PaperValue> VALUES = List.of(
            new PaperValue("2", "rate per worker of copy, divided by stream", "3 to 4", "figure2_copy_to_stream_"),
            new PaperValue("3", "the same over 100 Mbit/s", "3 to 4", "figure3_copy_to_stream_"),
            new PaperValue("4", "rate of scp on a busy machine, divided by an idle one", "0.2", "figure4_scp_"),
            new PaperValue("4", "the same of a copy by a job", "–", "figure4_copy_"),
            new PaperValue(
                    "6",
                    "rate per worker with one source, divided by that of one worker; the link here permits "
                            + WorkerScale.NEAR_SHARE,
                    "0.5",
                    "_to_1_sources_1"),
            new PaperValue("6", "the same with two sources", "1", "_to_1_sources_2"),
            new PaperValue("6", "the same with a far source", "1", "_to_1_far"),
            new PaperValue(
                    "7", "rate per worker with six sources, divided by two", "little more than 1", "_sources_6_to_2"),
            new PaperValue("8", "events per second of small machines, divided by a large one", "1.2", "figure8_"));

    private final Report report;

    /**
     * Value of the paper.
     *
     * @param figure number of the figure
     * @param subject meaning of the value
     * @param paper the value
     * @param ratio part of the names of the ratios to compare
     */
    private record PaperValue(String figure, String subject, String paper, String ratio) {
        List<String> rows(Map<String, BigDecimal> ratios) {
            return ratios.entrySet().stream()
                    .filter(entry -> entry.getKey().contains(ratio))
                    .map(entry -> "| %s | %s | %s | %s | %s |"
                            .formatted(figure, subject, paper, Rounding.text(entry.getValue()), entry.getKey()))
                    .toList();
        }
    }

    StreamingPaperTable(Report report) {
        this.report = report;
    }

    /** Returns the table; empty without a ratio of the paper. */
    List<String> lines() {
        List<String> rows = VALUES.stream()
                .flatMap(value -> value.rows(report.ratios()).stream())
                .toList();
        if (rows.isEmpty()) {
            return List.of();
        }
        List<String> lines =
                new ArrayList<>(List.of("", "| figure of the paper of 2016 | value | paper | here | ratio |"));
        lines.add("|---|---|---:|---:|---|");
        lines.addAll(rows);
        return lines;
    }

    /** Returns the plots of Figures 2, 3, 4, 6, 7 and 8, as far as the report has their values. */
    List<String> plots() {
        List<String> plots = new ArrayList<>();
        for (String figure : List.of("figure2", "figure3", "figure4")) {
            plots.addAll(bars("Figure " + figure.charAt(figure.length() - 1), figure + "_(.+)_mb_per_s", "MB/s"));
        }
        plots.addAll(bars("Figure 6, processes, one source", "workers_(\\d+)" + SOURCES_1, "MB/s per worker"));
        plots.addAll(bars("Figure 6, threads, one source", "threads_(\\d+)" + SOURCES_1, "MB/s per worker"));
        for (String kind : List.of("workers", "threads")) {
            most(kind)
                    .ifPresent(most -> plots.addAll(bars(
                            "Figure 7, " + kind,
                            kind + "_" + most + "_sources_(\\d)_mb_per_s",
                            "MB/s per worker, by sources")));
        }
        plots.addAll(bars("Figure 8, processes", "figure8_(\\d)_processes_events_per_s", "events/s"));
        return plots;
    }

    private OptionalInt most(String kind) {
        return report.figures().keySet().stream()
                .filter(name -> name.matches(kind + "_\\d+" + SOURCES_1))
                .map(NUMBER::matcher)
                .filter(Matcher::find)
                .mapToInt(found -> Integer.parseInt(found.group()))
                .max();
    }

    private List<String> bars(String title, String figures, String y) {
        Pattern pattern = Pattern.compile(figures);
        List<String> places = new ArrayList<>();
        List<BigDecimal> values = new ArrayList<>();
        report.figures().forEach((name, value) -> {
            Matcher found = pattern.matcher(name);
            if (found.matches()) {
                places.add(found.group(1));
                values.add(value);
            }
        });
        if (places.isEmpty()) {
            return List.of();
        }
        List<String> plot = new ArrayList<>(List.of(""));
        plot.addAll(new XyChart(title, "", places, y).bars(values).block());
        return plot;
    }
}
