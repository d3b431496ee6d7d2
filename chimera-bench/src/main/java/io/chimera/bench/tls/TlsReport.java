package io.chimera.bench.tls;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Turns rates into a report, and the report into a table. */
public final class TlsReport {
    /** Name of the report. */
    static final String NAME = "bench tls";

    private static final String RATE = "_points_per_cpu_s";
    private static final String TO_NONE = "_to_none";

    private TlsReport() {}

    /** Returns the medians of the rates, and of their ratios to the rate without encryption in the same round. */
    static Report of(Map<Protection, List<Double>> rates, Machine machine) {
        Findings findings = new Findings();
        List<Double> plain = rates.get(Protection.NONE);
        rates.forEach((protection, each) -> {
            findings.figure(protection.figure() + RATE, Rounding.to(0, median(each)));
            if (protection != Protection.NONE) {
                List<Double> ratios = IntStream.range(0, each.size())
                        .mapToObj(round -> each.get(round) / plain.get(round))
                        .toList();
                findings.ratio(protection.figure() + TO_NONE, Rounding.to(2, median(ratios)));
            }
        });
        findings.atLeast(Protection.ALL.figure() + TO_NONE, "0.7");
        return findings.report(NAME, machine);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** Returns whether a report is a TLS report. */
    public static boolean isFor(Report report) {
        return report.name().equals(NAME);
    }

    /** Returns a report as Markdown, each line with a line end. */
    public static String table(Report report) {
        List<String> lines = new ArrayList<>();
        lines.add("| TLS on | points per CPU-s | times the rate without |");
        lines.add("|---|---:|---:|");
        for (Protection protection : Protection.values()) {
            String name = protection.figure();
            lines.add("| %s | %s | %s |"
                    .formatted(
                            name,
                            Rounding.text(report.figures().get(name + RATE)),
                            Rounding.text(report.ratios().get(name + TO_NONE))));
        }
        lines.addAll(new MarkdownTable(report).end());
        return String.join("\n", lines) + "\n";
    }
}
