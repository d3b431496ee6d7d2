package io.chimera.bench.scale.quota;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Formats a report of limited clusters as Markdown: a table per growing part with a row per cluster,
 * other figures, then goals and machine.
 */
public final class QuotaTable {
    private static final List<String> OTHERS = List.of(
            "slow_node",
            "rebalance_s",
            "rebalance_cycles",
            "rebalance_rate_per_node",
            "rebalance_lost",
            "rebalance_doubled");

    private final Report report;

    /** Creates a table of a report. */
    public QuotaTable(Report report) {
        this.report = report;
    }

    /** Returns whether a report is one of limited clusters. */
    public static boolean isFor(Report report) {
        return report.name().equals(QuotaReport.NAME);
    }

    /** Returns the tables, each line with a line end. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("Quota of a part: " + figure("quota_percent") + " % of a core.");
        lines.add("");
        for (Growth growth : Growth.values()) {
            if (sizes(growth).isEmpty()) {
                continue;
            }
            lines.add("| " + growth.text()
                    + " | points/s | efficiency | from, to | limited nodes, ns/point | quota used | throttled, ms/s"
                    + " | skew | s per cycle | other nodes, ns/point | other nodes, cores | machine busy |");
            lines.add("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
            for (String parts : sizes(growth)) {
                lines.add(row(growth, parts));
            }
            lines.add("");
        }
        addOthers(lines);
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    /** Adds the figures of clusters whose processors change, if the report has them. */
    private void addOthers(List<String> lines) {
        List<String> measured = OTHERS.stream()
                .filter(name ->
                        report.ratios().containsKey(name) || report.figures().containsKey(name))
                .toList();
        if (measured.isEmpty()) {
            return;
        }
        lines.add("| figure | value |");
        lines.add("|---|---:|");
        for (String name : measured) {
            BigDecimal ratio = report.ratios().get(name);
            lines.add("| " + name + " | " + (ratio == null ? figure(name) : Rounding.text(ratio)) + " |");
        }
    }

    private String row(Growth growth, String parts) {
        String name = growth.prefix() + parts;
        String efficiency = name + QuotaReport.EFFICIENCY;
        return String.join(
                " | ",
                "| " + parts,
                figure(name + QuotaReport.RATE),
                ratio(efficiency),
                ratio(efficiency + QuotaReport.MIN) + ", " + ratio(efficiency + QuotaReport.MAX),
                figure(name + QuotaReport.NODE_NS),
                figure(name + QuotaReport.QUOTA_USED),
                figure(name + QuotaReport.THROTTLED),
                figure(name + QuotaReport.SKEW),
                figure(name + QuotaReport.CYCLE_S),
                figure(name + QuotaReport.OTHER_NS),
                figure(name + QuotaReport.OTHER_CORES),
                figure(name + QuotaReport.BUSY) + " |");
    }

    private String figure(String name) {
        return Rounding.text(report.figures().get(name));
    }

    private String ratio(String name) {
        return Rounding.text(report.ratios().get(name));
    }

    /** Returns the numbers of parts, from the names of the rates. */
    private List<String> sizes(Growth growth) {
        Pattern name = Pattern.compile(growth.prefix() + "(\\d+)" + QuotaReport.RATE);
        return report.figures().keySet().stream()
                .map(name::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group(1))
                .toList();
    }

    /** Returns a plot per growing part: the rates, and the smallest cluster's rate times the number of parts. */
    public List<String> plots() {
        return Arrays.stream(Growth.values())
                .flatMap(growth -> plot(growth).stream())
                .toList();
    }

    private List<String> plot(Growth growth) {
        List<String> sizes = sizes(growth);
        List<BigDecimal> rates = sizes.stream()
                .map(parts -> report.figures().get(growth.prefix() + parts + QuotaReport.RATE))
                .toList();
        if (rates.size() < 2) {
            return List.of();
        }
        double perPart = rates.get(0).doubleValue() / Integer.parseInt(sizes.get(0));
        List<BigDecimal> ideal = sizes.stream()
                .map(parts -> Rounding.to(0, perPart * Integer.parseInt(parts)))
                .toList();
        return new XyChart(
                        "Rate with more limited " + growth.text() + "; line: linear growth",
                        growth.text(),
                        sizes,
                        "points/s")
                .bars(rates)
                .line(ideal)
                .block();
    }
}
