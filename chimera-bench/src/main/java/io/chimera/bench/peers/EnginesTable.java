package io.chimera.bench.peers;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Formats a report about engines as Markdown: a row per engine, then goals and machine as in every report. */
public final class EnginesTable {
    private final EngineFigures figures;
    private final Report report;

    /** Creates a table of a report with these figures. */
    public EnginesTable(EngineFigures figures, Report report) {
        this.figures = figures;
        this.report = report;
    }

    /** Returns the table, each line with a line end. */
    public String text() {
        String unit = figures.unit();
        List<String> lines = new ArrayList<>();
        lines.add("| engine | %s per CPU-s | %s/s | CPU-s | client's CPU-s | RSS, MB | %s |"
                .formatted(unit, unit, figures.lastColumn()));
        lines.add("|---|---:|---:|---:|---:|---:|---:|");
        figures.engines(report)
                .forEach(engine -> lines.add("| %s | %s | %s | %s | %s | %s | %s |"
                        .formatted(
                                engine,
                                figure(engine + figures.rate()),
                                figure(engine + figures.wallRate()),
                                figure(engine + EngineFigures.CPU),
                                figure(engine + EngineFigures.FEEDER_CPU),
                                figure(engine + EngineFigures.MEMORY),
                                Rounding.text(figures.last(report, engine)))));
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    /** Returns plots: rates per second of processor time and per second, processor time and memory. */
    public List<String> plots() {
        String title = figures.title();
        List<List<String>> plots = Stream.of(
                        bars(title, figures.rate(), figures.unit() + " per CPU-second"),
                        bars(title + ", two cores", figures.wallRate(), figures.unit() + " per second"),
                        bars(title + ", a pass", EngineFigures.CPU, "CPU-seconds"),
                        bars(title + ", memory", EngineFigures.MEMORY, "MB"))
                .filter(plot -> !plot.isEmpty())
                .toList();
        List<String> lines = new ArrayList<>();
        for (List<String> plot : plots) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(plot);
        }
        return lines;
    }

    /**
     * Returns a bar chart. Selects figures by engine and not by suffix alone, because {@code _feeder_cpu_s} also ends
     * with {@code _cpu_s}.
     */
    private List<String> bars(String title, String end, String axis) {
        List<String> engines = figures.engines(report)
                .filter(engine -> report.figures().containsKey(engine + end))
                .toList();
        List<BigDecimal> values = engines.stream()
                .map(engine -> report.figures().get(engine + end))
                .toList();
        return engines.isEmpty()
                ? List.of()
                : new XyChart(title, "engine", engines, axis).bars(values).block();
    }

    private String figure(String name) {
        return Rounding.text(report.figures().get(name));
    }
}
