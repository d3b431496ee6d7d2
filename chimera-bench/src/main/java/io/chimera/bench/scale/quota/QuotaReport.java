package io.chimera.bench.scale.quota;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.SortedMap;
import java.util.function.ToDoubleFunction;

/** Turns rounds into a report: medians, and the spread of the efficiency. Ratios compare clusters of one round. */
final class QuotaReport {
    /** Name of the report. */
    static final String NAME = "bench scale --quota";

    static final String RATE = "_points_per_s";
    static final String EFFICIENCY = "_efficiency";
    static final String MIN = "_min";
    static final String MAX = "_max";
    static final String NODE_NS = "_node_ns";
    static final String OTHER_NS = "_other_ns";
    static final String QUOTA_USED = "_quota_used";
    static final String THROTTLED = "_throttled_ms_per_s";
    static final String OTHER_CORES = "_other_cores";
    static final String BUSY = "_machine_busy";
    static final String SKEW = "_skew";
    static final String CYCLE_S = "_s_per_cycle";

    private static final String SLOW = "slow_node";

    private QuotaReport() {}

    static Report of(double percent, List<Round> rounds, Machine machine) {
        Findings findings = new Findings();
        findings.figure("quota_percent", Rounding.to(1, percent));
        Round first = rounds.get(0);
        for (Growth growth : first.clusters().keySet()) {
            addAll(findings, growth, rounds);
        }
        for (Growth growth : first.clusters().keySet()) {
            findings.atLeast(growth.prefix() + first.clusters(growth).lastKey() + EFFICIENCY, "0.9");
        }
        if (first.change().isPresent()) {
            addChange(findings, rounds);
        }
        return findings.report(NAME, machine);
    }

    private static void addAll(Findings findings, Growth growth, List<Round> rounds) {
        SortedMap<Integer, Window> sizes = rounds.get(0).clusters(growth);
        for (int parts : sizes.keySet()) {
            add(findings, growth, parts, rounds);
            if (parts != sizes.firstKey()) {
                addEfficiency(findings, growth, parts, rounds);
            }
        }
    }

    private static void add(Findings findings, Growth growth, int parts, List<Round> rounds) {
        String name = growth.prefix() + parts;
        ToDoubleFunction<ToDoubleFunction<Window>> middle =
                figure -> median(rounds, round -> figure.applyAsDouble(round.cluster(growth, parts)));
        findings.figure(name + RATE, Rounding.to(0, middle.applyAsDouble(Window::pointsPerSecond)));
        findings.figure(name + NODE_NS, Rounding.to(0, middle.applyAsDouble(Window::limitedNs)));
        findings.figure(name + OTHER_NS, Rounding.to(0, middle.applyAsDouble(Window::otherNs)));
        findings.figure(name + QUOTA_USED, Rounding.to(3, middle.applyAsDouble(Window::quotaUsed)));
        findings.figure(name + THROTTLED, Rounding.to(0, middle.applyAsDouble(Window::throttledMsPerSecond)));
        findings.figure(name + OTHER_CORES, Rounding.to(2, middle.applyAsDouble(Window::otherCores)));
        findings.figure(name + BUSY, Rounding.to(2, middle.applyAsDouble(Window::busy)));
        findings.figure(name + SKEW, Rounding.to(3, middle.applyAsDouble(Window::skew)));
        findings.figure(name + CYCLE_S, Rounding.to(2, middle.applyAsDouble(Window::secondsPerCycle)));
    }

    private static void addEfficiency(Findings findings, Growth growth, int parts, List<Round> rounds) {
        String name = growth.prefix() + parts + EFFICIENCY;
        DoubleSummaryStatistics all = rounds.stream()
                .mapToDouble(round -> round.efficiency(growth, parts))
                .summaryStatistics();
        findings.ratio(name, Rounding.to(3, median(rounds, round -> round.efficiency(growth, parts))));
        if (rounds.size() > 1) {
            findings.ratio(name + MIN, Rounding.to(3, all.getMin()));
            findings.ratio(name + MAX, Rounding.to(3, all.getMax()));
        }
    }

    private static void addChange(Findings findings, List<Round> rounds) {
        List<Rebalance> joins = rounds.stream().map(Round::rebalance).toList();
        findings.ratio(SLOW, Rounding.to(3, median(rounds, Round::slowToIdeal)));
        findings.figure("rebalance_s", Rounding.to(1, median(joins, Rebalance::seconds)));
        findings.figure("rebalance_cycles", Rounding.to(0, median(joins, Rebalance::cycles)));
        findings.figure("rebalance_lost", Rounding.to(0, sum(joins, Rebalance::lost)));
        findings.figure("rebalance_doubled", Rounding.to(0, sum(joins, Rebalance::doubled)));
        findings.ratio("rebalance_rate_per_node", Rounding.to(3, median(joins, Rebalance::rate)));
        findings.atLeast(SLOW, "0.85");
        findings.atMost("rebalance_cycles", "2");
        findings.atMost("rebalance_lost", "0");
        findings.atMost("rebalance_doubled", "0");
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
