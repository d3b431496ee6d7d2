package io.chimera.bench.scale.quota;

import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.XyChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Formats a report of limited clusters as Markdown: a row per cluster, other figures, then goals and machine. */
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
        lines.add("Quota of a processor: " + figure("quota_percent") + " % of a core.");
        lines.add("");
        lines.add(
                "| processors | points/s | efficiency | from, to | processors, ns/point | quota used | throttled, ms/s"
                        + " | skew | queue node, ns/point | queue node, cores | machine busy |");
        lines.add("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        for (String processors : processors()) {
            lines.add(row(processors));
        }
        lines.add("");
        lines.add("| figure | value |");
        lines.add("|---|---:|");
        for (String other : OTHERS) {
            BigDecimal ratio = report.ratios().get(other);
            lines.add("| " + other + " | " + (ratio == null ? figure(other) : Rounding.text(ratio)) + " |");
        }
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }

    private String row(String processors) {
        String name = QuotaReport.PROCESSORS + processors;
        String efficiency = name + QuotaReport.EFFICIENCY;
        return String.join(
                " | ",
                "| " + processors,
                figure(name + QuotaReport.RATE),
                ratio(efficiency),
                ratio(efficiency + QuotaReport.MIN) + ", " + ratio(efficiency + QuotaReport.MAX),
                figure(name + QuotaReport.PROCESSOR_NS),
                figure(name + QuotaReport.QUOTA_USED),
                figure(name + QuotaReport.THROTTLED),
                figure(name + QuotaReport.SKEW),
                figure(name + QuotaReport.QUEUE_NS),
                figure(name + QuotaReport.QUEUE_SHARE),
                figure(name + QuotaReport.BUSY) + " |");
    }

    private String figure(String name) {
        return Rounding.text(report.figures().get(name));
    }

    private String ratio(String name) {
        return Rounding.text(report.ratios().get(name));
    }

    /** Returns the numbers of processors, from the names of the rates. */
    private List<String> processors() {
        return report.figures().keySet().stream()
                .filter(name -> name.startsWith(QuotaReport.PROCESSORS) && name.endsWith(QuotaReport.RATE))
                .map(name -> name.substring(QuotaReport.PROCESSORS.length(), name.length() - QuotaReport.RATE.length()))
                .toList();
    }

    /** Returns a plot of the rates, and of the smallest cluster's rate times the number of processors. */
    public List<String> plots() {
        List<String> processors = processors();
        List<BigDecimal> rates = processors.stream()
                .map(count -> report.figures().get(QuotaReport.PROCESSORS + count + QuotaReport.RATE))
                .toList();
        if (rates.size() < 2) {
            return List.of();
        }
        double perNode = rates.get(0).doubleValue() / Integer.parseInt(processors.get(0));
        List<BigDecimal> ideal = processors.stream()
                .map(count -> Rounding.to(0, perNode * Integer.parseInt(count)))
                .toList();
        return new XyChart(
                        "Rate with more limited processors; line: linear growth", "processors", processors, "points/s")
                .bars(rates)
                .line(ideal)
                .block();
    }
}
