package io.chimera.node.graph;

import java.util.List;
import java.util.Locale;

/** Draws a graph as SVG from left to right. */
final class SvgWriter {
    private static final int BOX_WIDTH = 170;
    private static final int BOX_HEIGHT = 84;
    private static final int COLUMN = 260;
    private static final int ROW = 104;
    private static final int MARGIN = 20;
    private static final int LINE = 15;

    /** Maximum number of characters per box line, at 11 pixels font size. */
    private static final int LETTERS_MAX = 28;

    private static final String HEAD = """
            <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d">
            <defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">\
            <path d="M0 0 L10 5 L0 10 z" fill="#555"/></marker></defs>
            <style>text{font:11px sans-serif;fill:#222}.name{font-weight:bold}.gate{font-size:10px;fill:#555}\
            rect{fill:#fff;stroke:#555}.stateful{stroke-width:2.5}.step{stroke-dasharray:5 3}.endpoint{stroke:none;fill:#eee}\
            path.edge{fill:none;stroke:#555;stroke-width:1.2}path.queued{stroke-width:3}</style>
            """;

    private final StringBuilder svg = new StringBuilder();
    private final Layers layers;

    private SvgWriter(Graph graph) {
        layers = new Layers(graph);
        int width = 2 * MARGIN + (layers.columns() - 1) * COLUMN + BOX_WIDTH;
        int height = (int) (2 * MARGIN + (layers.rows() - 1) * ROW + BOX_HEIGHT);
        svg.append(HEAD.formatted(width, height));
        layers.ways().forEach(this::edge);
        graph.nodes().forEach(this::node);
        svg.append("</svg>\n");
    }

    static String write(Graph graph) {
        return new SvgWriter(graph).svg.toString();
    }

    private double left(String place) {
        return MARGIN + layers.column(place) * (double) COLUMN;
    }

    private double middle(String place) {
        return MARGIN + layers.row(place) * ROW + BOX_HEIGHT / 2.0;
    }

    private void edge(Layers.Way way) {
        List<String> places = way.places();
        double x = left(places.get(0)) + BOX_WIDTH;
        double y = middle(places.get(0));
        StringBuilder path = new StringBuilder(format("M%.1f %.1f", x, y));
        if (!way.edge().label().isEmpty()) {
            double end = middle(places.get(1));
            text(
                    "gate",
                    x + 6,
                    y + (end - y) * 0.12 + (end > y ? LINE - 3 : -4),
                    way.edge().label());
        }
        for (int i = 1; i < places.size(); i++) {
            double nextX = left(places.get(i));
            double nextY = middle(places.get(i));
            double half = (nextX - x) / 2;
            path.append(format(" C%.1f %.1f %.1f %.1f %.1f %.1f", x + half, y, nextX - half, nextY, nextX, nextY));
            if (i < places.size() - 1) {
                path.append(format(" L%.1f %.1f", nextX + BOX_WIDTH, nextY));
            }
            x = nextX + BOX_WIDTH;
            y = nextY;
        }
        svg.append("<path class=\"edge").append(way.edge().isQueued() ? " queued" : "");
        svg.append("\" marker-end=\"url(#arrow)\" d=\"").append(path).append("\"/>\n");
    }

    private void node(Graph.Node node) {
        double x = left(node.id());
        double y = middle(node.id()) - BOX_HEIGHT / 2.0;
        svg.append(format(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\""
                        + " rx=\"8\"><title>%s</title></rect>%n",
                node.kind().name().toLowerCase(Locale.ROOT),
                x,
                y,
                BOX_WIDTH,
                BOX_HEIGHT,
                escaped(String.join("\n", node.lines()))));
        double line = middle(node.id()) - (node.lines().size() - 1) * LINE / 2.0 + 4;
        for (int i = 0; i < node.lines().size(); i++) {
            text(i == 0 ? "name" : "", x + 10, line + i * LINE, node.lines().get(i));
        }
    }

    private void text(String style, double x, double y, String text) {
        String fitting = text.length() > LETTERS_MAX ? text.substring(0, LETTERS_MAX - 1) + "…" : text;
        svg.append(format("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n", style, x, y, escaped(fitting)));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
