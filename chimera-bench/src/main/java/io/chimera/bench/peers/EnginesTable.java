package io.chimera.bench.peers;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A report of engines as Markdown: a row per engine, then goals and machine as every report has them. */
public final class EnginesTable {
    private final EngineFigures figures;
    private final Report report;

    /** A table of a report that these figures are for. */
    public EnginesTable(EngineFigures figures, Report report) {
        this.figures = figures;
        this.report = report;
    }

    /** The table, with a line end behind each line. */
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

    /** Plots: rates per second of processor time and per second, processor time and memory. */
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

    /** By engines and not by ends of names alone: {@code _cpu_s} is the end of {@code _feeder_cpu_s}, too. */
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
