package io.chimera.bench.scale;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Formats a scale report as Markdown: a table for nodes, a table per curve, then goals and machine. */
public final class ScaleTable {
    private final Report report;

    /** Creates a table of a report. */
    public ScaleTable(Report report) {
        this.report = report;
    }

    /** Returns whether a report is a scale report. */
    public static boolean isFor(Report report) {
        return report.name().equals(ScaleReport.NAME);
    }

    /** Returns the tables, each line with a line end. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("| queue nodes | processors | points per CPU-s | points/s | times the cost of one |");
        lines.add("|---:|---:|---:|---:|---:|");
        for (int at : steps(Axis.PROCESSORS)) {
            lines.add(nodes(Axis.PROCESSORS, at, 1, at));
        }
        for (int at : steps(Axis.QUEUE_NODES)) {
            if (at > 1) { // the row for one queue node exists already
                lines.add(nodes(Axis.QUEUE_NODES, at, at, 2));
            }
        }
        lines.add("");
        lines.add("| what grows | to | CPU time per point, ns | times the cost of few |");
        lines.add("|---|---:|---:|---:|");
        for (Axis axis : List.of(Axis.SERIES, Axis.GROUPS, Axis.TAGS)) {
            for (int at : steps(axis)) {
                lines.add("| %s | %,d | %s | %s |".formatted(axis.figure(), at, cost(axis, at), ratio(axis, at)));
            }
        }
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    private String nodes(Axis axis, int at, int queueNodes, int processors) {
        String name = axis.figure() + "_" + at;
        return "| %d | %d | %s | %s | %s |"
                .formatted(
                        queueNodes,
                        processors,
                        Rounding.text(report.figures().get(name + ScaleReport.RATE)),
                        Rounding.text(report.figures().get(name + ScaleReport.WALL_RATE)),
                        ratio(axis, at));
    }

    private String cost(Axis axis, int at) {
        return Rounding.text(report.figures().get(axis.figure() + "_" + at + ScaleReport.TIME));
    }

    private String ratio(Axis axis, int at) {
        String begin = axis.figure() + "_" + at + ScaleReport.TO;
        return Rounding.text(report.ratios().entrySet().stream()
                .filter(ratio -> ratio.getKey().startsWith(begin))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null));
    }

    /** Returns the measured values of an axis, from the names of the figures. */
    private List<Integer> steps(Axis axis) {
        String begin = axis.figure() + "_";
        return report.figures().keySet().stream()
                .filter(name -> name.startsWith(begin))
                .map(name -> name.substring(begin.length()).replaceAll("_.*", ""))
                .map(Integer::valueOf)
                .distinct()
                .toList();
    }

    /** Returns one plot per axis. */
    public List<String> plots() {
        List<String> lines = new ArrayList<>();
        for (Axis axis : Axis.values()) {
            List<Integer> steps = steps(axis);
            if (steps.size() < 2) {
                continue;
            }
            if (!lines.isEmpty()) {
                lines.add("");
            }
            String end = axis.isOfNodes() ? ScaleReport.WALL_RATE : ScaleReport.TIME;
            String y = axis.isOfNodes() ? "points/s" : "ns of processor time per point";
            String name = axis.figure().replace('_', ' ');
            XyChart chart = new XyChart(
                    axis.isOfNodes() ? "Rate with more " + name : "Cost of a point with more " + name,
                    name,
                    steps.stream().map(step -> "%,d".formatted(step)).toList(),
                    y);
            List<BigDecimal> values = steps.stream()
                    .map(step -> report.figures().get(axis.figure() + "_" + step + end))
                    .filter(Objects::nonNull)
                    .toList();
            lines.addAll((axis.isOfNodes() ? chart.bars(values) : chart.line(values)).block());
        }
        return lines;
    }
}
