package io.chimera.dataset.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws lines over time as SVG, without scripts and without anything from the network. */
final class LinePlot {
    private static final int WIDTH = 820;
    private static final int HEIGHT = 300;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 40;
    private static final int BOTTOM = 45;
    private static final int STEPS = 5;
    private static final List<String> COLORS = List.of("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad");

    private final String title;
    private final String unit;
    private final List<Line> lines = new ArrayList<>();

    /** A line: its name, and pairs of seconds and values in the order of time. */
    private record Line(String name, List<double[]> points) {}

    /**
     * Creates an empty plot.
     *
     * @param title title above the plot
     * @param unit unit of the values
     */
    LinePlot(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    /**
     * Adds a line.
     *
     * @param name name in the legend
     * @param points pairs of seconds and values in the order of time
     */
    LinePlot add(String name, List<double[]> points) {
        lines.add(new Line(name, points));
        return this;
    }

    /** Returns the SVG element. */
    String svg() {
        double most = niceMaximum(most(1));
        double seconds = Math.max(1e-3, most(0));
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">%n<text x=\"%d\" y=\"20\""
                        + " font-weight=\"bold\">%s</text>%n",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT,
                LEFT,
                HtmlText.escape(title + ", " + unit)));
        for (int step = 0; step <= STEPS; step++) {
            grid(svg, most * step / STEPS, y(most * step / STEPS, most));
            text(
                    svg,
                    x(seconds * step / STEPS, seconds),
                    HEIGHT - BOTTOM + 18,
                    "middle",
                    label(seconds * step / STEPS));
        }
        text(svg, (WIDTH + LEFT) / 2.0, HEIGHT - 8, "middle", "seconds");
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), COLORS.get(i % COLORS.size()), i, seconds, most);
        }
        return svg.append("</svg>\n").toString();
    }

    private double most(int column) {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(point -> point[column])
                .max()
                .orElse(0);
    }

    /** Returns the least 1, 2 or 5 times a power of ten that is no less. */
    static double niceMaximum(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double factor : new double[] {1, 2, 5}) {
            if (value <= factor * power * (1 + 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static double x(double seconds, double most) {
        return LEFT + seconds / most * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double value, double most) {
        return HEIGHT - BOTTOM - value / most * (HEIGHT - TOP - BOTTOM);
    }

    private static void grid(StringBuilder svg, double value, double y) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
                LEFT,
                WIDTH - RIGHT,
                y,
                y));
        text(svg, LEFT - 8.0, y + 4, "end", label(value));
    }

    private static String label(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3g", value);
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                HtmlText.escape(text)));
    }

    private static void draw(StringBuilder svg, Line line, String color, int number, double seconds, double most) {
        StringBuilder points = new StringBuilder();
        for (double[] point : line.points()) {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point[0], seconds), y(point[1], most)));
        }
        double legend = LEFT + 330 + number * 150.0;
        svg.append(String.format(
                Locale.ROOT,
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"%s\"/>%n"
                        + "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"16\" y2=\"16\" stroke=\"%s\" stroke-width=\"3\"/>%n",
                color,
                points.toString().strip(),
                legend,
                legend + 20,
                color));
        text(svg, legend + 26, 20, "start", line.name());
    }
}
