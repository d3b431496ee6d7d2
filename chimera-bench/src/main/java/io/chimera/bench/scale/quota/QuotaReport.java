package io.chimera.bench.scale.quota;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Turns rounds into a report: medians, and the spread of the efficiency. Ratios compare clusters of one round. */
final class QuotaReport {
    /** Name of the report. */
    static final String NAME = "bench scale --quota";

    /** Prefix of the figures of a cluster. */
    static final String PROCESSORS = "processors_";

    static final String RATE = "_points_per_s";
    static final String EFFICIENCY = "_efficiency";
    static final String MIN = "_min";
    static final String MAX = "_max";
    static final String PROCESSOR_NS = "_processor_ns";
    static final String QUEUE_NS = "_queue_ns";
    static final String QUOTA_USED = "_quota_used";
    static final String THROTTLED = "_throttled_ms_per_s";
    static final String QUEUE_SHARE = "_queue_cores";
    static final String BUSY = "_machine_busy";
    static final String SKEW = "_skew";

    private static final String SLOW = "slow_node";

    private QuotaReport() {}

    static Report of(double percent, List<Round> rounds, Machine machine) {
        Findings findings = new Findings();
        findings.figure("quota_percent", Rounding.to(1, percent));
        int smallest = rounds.get(0).clusters().firstKey();
        for (int processors : rounds.get(0).clusters().keySet()) {
            add(findings, processors, rounds);
            if (processors != smallest) {
                addEfficiency(findings, processors, rounds);
            }
        }
        findings.ratio(SLOW, Rounding.to(3, median(rounds, Round::slowToIdeal)));
        addRebalance(findings, rounds.stream().map(Round::rebalance).toList());
        findings.atLeast(PROCESSORS + "12" + EFFICIENCY, "0.9");
        findings.atLeast(SLOW, "0.85");
        findings.atMost("rebalance_cycles", "2");
        findings.atMost("rebalance_lost", "0");
        findings.atMost("rebalance_doubled", "0");
        return findings.report(NAME, machine);
    }

    private static void add(Findings findings, int processors, List<Round> rounds) {
        String name = PROCESSORS + processors;
        findings.figure(name + RATE, Rounding.to(0, window(rounds, processors, Window::pointsPerSecond)));
        findings.figure(name + PROCESSOR_NS, Rounding.to(0, window(rounds, processors, Window::processorNs)));
        findings.figure(name + QUEUE_NS, Rounding.to(0, window(rounds, processors, Window::queueNs)));
        findings.figure(name + QUOTA_USED, Rounding.to(3, window(rounds, processors, Window::quotaUsed)));
        findings.figure(name + THROTTLED, Rounding.to(0, window(rounds, processors, Window::throttledMsPerSecond)));
        findings.figure(name + QUEUE_SHARE, Rounding.to(2, window(rounds, processors, Window::queueShare)));
        findings.figure(name + BUSY, Rounding.to(2, window(rounds, processors, Window::busy)));
        findings.figure(name + SKEW, Rounding.to(3, window(rounds, processors, Window::skew)));
    }

    private static double window(List<Round> rounds, int processors, ToDoubleFunction<Window> figure) {
        return median(rounds, round -> figure.applyAsDouble(round.cluster(processors)));
    }

    private static void addEfficiency(Findings findings, int processors, List<Round> rounds) {
        String name = PROCESSORS + processors + EFFICIENCY;
        DoubleSummaryStatistics all = rounds.stream()
                .mapToDouble(round -> round.efficiency(processors))
                .summaryStatistics();
        findings.ratio(name, Rounding.to(3, median(rounds, round -> round.efficiency(processors))));
        findings.ratio(name + MIN, Rounding.to(3, all.getMin()));
        findings.ratio(name + MAX, Rounding.to(3, all.getMax()));
    }

    private static void addRebalance(Findings findings, List<Rebalance> joins) {
        findings.figure("rebalance_s", Rounding.to(1, median(joins, Rebalance::seconds)));
        findings.figure("rebalance_cycles", Rounding.to(0, median(joins, Rebalance::cycles)));
        findings.figure("rebalance_lost", Rounding.to(0, sum(joins, Rebalance::lost)));
        findings.figure("rebalance_doubled", Rounding.to(0, sum(joins, Rebalance::doubled)));
        findings.ratio("rebalance_rate_per_node", Rounding.to(3, median(joins, Rebalance::rate)));
    }

    private static double sum(List<Rebalance> joins, ToDoubleFunction<Rebalance> figure) {
        return joins.stream().mapToDouble(figure).sum();
    }

    private static <T> double median(List<T> all, ToDoubleFunction<T> figure) {
        double[] sorted = all.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
