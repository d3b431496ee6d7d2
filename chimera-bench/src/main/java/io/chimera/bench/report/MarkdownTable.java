package io.chimera.bench.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Formats a report of stages as Markdown: a row per stage, a row per goal, and a line with machine and time. */
public final class MarkdownTable {
    /** Suffix of a figure: points per second of a stage. */
    public static final String RATE = "_points_per_s";

    /** Suffix of a figure: ns per point of a stage. */
    public static final String TIME = "_ns";

    /** Suffix of a figure: allocated bytes per point of a stage. */
    public static final String ALLOCATED = "_allocated_bytes";

    /** Separator between stage and limit in the name of a ratio. */
    public static final String TO = "_to_";

    private final Report report;

    /** Creates a table of a report. */
    public MarkdownTable(Report report) {
        this.report = report;
    }

    /** Returns the table, each line with a line end. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("| stage | points/s | ns/point | B/point allocated | times its limit |");
        lines.add("|---|---:|---:|---:|---|");
        report.figures().keySet().stream()
                .filter(figure -> figure.endsWith(RATE))
                .map(figure -> figure.substring(0, figure.length() - RATE.length()))
                .forEach(stage -> lines.add(row(stage)));
        lines.addAll(end());
        return String.join("\n", lines) + "\n";
    }

    /** Returns a plot of the rates. */
    public List<String> plots() {
        return XyChart.barsOf(report, "Stages, one thread", "stage", RATE, "points/s");
    }

    /** Returns the end of every kind of table: goals, missing figures and machine. */
    public List<String> end() {
        List<String> lines = new ArrayList<>();
        if (!report.goals().isEmpty()) {
            lines.add("");
            lines.add("| goal | wanted | seen | met |");
            lines.add("|---|---:|---:|---|");
            report.goals()
                    .forEach((name, goal) -> lines.add("| %s | %s | %s | %s |"
                            .formatted(name, number(goal.goal()), number(goal.seen()), goal.met() ? "yes" : "no")));
        }
        if (!report.leftOut().isEmpty()) {
            lines.addAll(List.of("", "| not measured | reason |", "|---|---|"));
            report.leftOut().forEach((name, reason) -> lines.add("| %s | %s |".formatted(name, reason)));
        }
        lines.add("");
        lines.add(machine());
        return lines;
    }

    private String row(String stage) {
        return "| %s | %s | %s | %s | %s |"
                .formatted(
                        stage,
                        number(report.figures().get(stage + RATE)),
                        number(report.figures().get(stage + TIME)),
                        number(report.figures().get(stage + ALLOCATED)),
                        ratio(stage));
    }

    private String ratio(String stage) {
        return report.ratios().entrySet().stream()
                .filter(ratio -> ratio.getKey().startsWith(stage + TO))
                .map(ratio -> number(ratio.getValue()) + " × " + limitOf(stage, ratio))
                .findFirst()
                .orElse("–");
    }

    private static String limitOf(String stage, Map.Entry<String, BigDecimal> ratio) {
        return ratio.getKey().substring(stage.length() + TO.length());
    }

    private String machine() {
        Machine machine = report.machine();
        return "Commit `%s`, `%s`, %s, %d × %s, %.0f GiB, JDK %s, %s. Load average %s before and %s after; others took %s of the processors."
                .formatted(
                        Objects.requireNonNullElse(machine.commit(), "unknown"),
                        machine.command(),
                        machine.date(),
                        machine.cpus(),
                        machine.model(),
                        machine.memoryBytes() / (double) (1 << 30),
                        machine.jdk(),
                        machine.os(),
                        number(machine.loadStart()),
                        number(machine.loadEnd()),
                        number(machine.busyOthers()));
    }

    private static String number(BigDecimal value) {
        return value == null ? "?" : String.format(Locale.ROOT, "%,." + Math.max(0, value.scale()) + "f", value);
    }
}
