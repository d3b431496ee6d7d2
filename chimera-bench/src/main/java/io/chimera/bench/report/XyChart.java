package io.chimera.bench.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A plot as a Mermaid block for Markdown: bars or lines over named places. */
public final class XyChart {
    private final List<String> lines = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private final String y;
    private BigDecimal most = BigDecimal.ONE;

    /**
     * A plot without anything in it.
     *
     * @param title above it
     * @param x what stands below
     * @param places from left to right
     * @param y what stands at the left, with its unit
     */
    public XyChart(String title, String x, List<String> places, String y) {
        lines.add("```mermaid");
        lines.add("xychart-beta");
        lines.add("    title " + quoted(title));
        lines.add("    x-axis " + quoted(x) + " ["
                + places.stream().map(XyChart::quoted).collect(Collectors.joining(", ")) + "]");
        this.y = y;
    }

    private static String quoted(String text) {
        return '"' + text.replace('"', '\'') + '"';
    }

    /** Adds bars, one for each place. */
    public XyChart bars(List<BigDecimal> values) {
        return add("bar", values);
    }

    /** Adds a line through a value for each place. */
    public XyChart line(List<BigDecimal> values) {
        return add("line", values);
    }

    private XyChart add(String kind, List<BigDecimal> added) {
        values.add("    " + kind + " ["
                + added.stream().map(BigDecimal::toPlainString).collect(Collectors.joining(", ")) + "]");
        most = added.stream().reduce(most, BigDecimal::max);
        return this;
    }

    /** The block; its left axis begins at 0. */
    public List<String> block() {
        List<String> block = new ArrayList<>(lines);
        block.add("    y-axis " + quoted(y) + " 0 --> " + most.toPlainString());
        block.addAll(values);
        block.add("```");
        return block;
    }

    /** A plot of the figures whose names end alike, one bar for each, in their order. */
    public static List<String> barsOf(Report report, String title, String x, String figureEnd, String y) {
        List<String> places = new ArrayList<>();
        List<BigDecimal> values = new ArrayList<>();
        report.figures().forEach((name, value) -> {
            if (name.endsWith(figureEnd)) {
                places.add(name.substring(0, name.length() - figureEnd.length()));
                values.add(value);
            }
        });
        return places.isEmpty()
                ? List.of()
                : new XyChart(title, x, places, y).bars(values).block();
    }
}
