package io.chimera.bench.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** A report of stages as Markdown: a row per stage, a row per goal, and a line that says where and when. */
public final class MarkdownTable {
    /** Ends of the names of a stage's figures. */
    public static final String RATE = "_points_per_s";

    /** See {@link #RATE}. */
    public static final String TIME = "_ns";

    /** See {@link #RATE}. */
    public static final String ALLOCATED = "_allocated_bytes";

    /** Stands between stage and limit in the name of a ratio. */
    public static final String TO = "_to_";

    private final Report report;

    /** A table of a report. */
    public MarkdownTable(Report report) {
        this.report = report;
    }

    /** The table, with a line end behind each line. */
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

    /** The rates as a plot. */
    public List<String> plots() {
        return XyChart.barsOf(report, "Stages, one thread", "stage", RATE, "points/s");
    }

    /** What the table of every kind of report ends with: goals and machine. */
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
