package io.chimera.bench.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Plot as a Mermaid block for Markdown: bars or lines over labelled positions. */
public final class XyChart {
    private final List<String> lines = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private final String y;
    private BigDecimal most = BigDecimal.ONE;

    /**
     * Creates an empty plot.
     *
     * @param title title above the plot
     * @param x label of the horizontal axis
     * @param places labels from left to right
     * @param y label of the vertical axis, with its unit
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

    /** Adds one bar per position. */
    public XyChart bars(List<BigDecimal> values) {
        return add("bar", values);
    }

    /** Adds a line with one value per position. */
    public XyChart line(List<BigDecimal> values) {
        return add("line", values);
    }

    private XyChart add(String kind, List<BigDecimal> added) {
        values.add("    " + kind + " ["
                + added.stream().map(BigDecimal::toPlainString).collect(Collectors.joining(", ")) + "]");
        most = added.stream().reduce(most, BigDecimal::max);
        return this;
    }

    /** Returns the block; the vertical axis begins at 0. */
    public List<String> block() {
        List<String> block = new ArrayList<>(lines);
        block.add("    y-axis " + quoted(y) + " 0 --> " + most.toPlainString());
        block.addAll(values);
        block.add("```");
        return block;
    }

    /** Returns a plot of all figures with a suffix, one bar each, in their order. */
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
