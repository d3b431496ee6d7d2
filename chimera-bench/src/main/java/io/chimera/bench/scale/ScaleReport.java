package io.chimera.bench.scale;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.util.SortedMap;

/** Turns costs into a report. */
final class ScaleReport {
    /** Name of the report. */
    static final String NAME = "bench scale";

    /** Suffix of a figure: points per second of processor time. */
    static final String RATE = "_points_per_cpu_s";

    /** Suffix of a figure: points per second. */
    static final String WALL_RATE = "_points_per_s";

    /** Suffix of a figure: processor time per point in ns. */
    static final String TIME = "_ns";

    /** Separator of the compared values in the name of a ratio. */
    static final String TO = "_to_";

    /** Number of series in the baseline. */
    private static final int FEW = 1_000;

    private static final String GOAL = Axis.SERIES.figure() + "_1000000" + TO + FEW;

    private final ScaleResults results;

    ScaleReport(ScaleResults results) {
        this.results = results;
    }

    Report report(Machine machine) {
        Findings findings = new Findings();
        results.costs().forEach((axis, costs) -> {
            costs.forEach((at, cost) -> addFigures(findings, axis, at, cost));
            addRatios(findings, axis, costs);
        });
        findings.atMost(GOAL, "2");
        return findings.report(NAME, machine);
    }

    private static void addFigures(Findings findings, Axis axis, int at, ClusterCost cost) {
        String name = axis.figure() + "_" + at;
        if (axis.isOfNodes()) {
            findings.figure(name + RATE, Rounding.to(0, cost.pointsPerCpuSecond()));
            findings.figure(name + WALL_RATE, Rounding.to(0, cost.pointsPerSecond()));
        } else {
            findings.figure(name + TIME, Rounding.to(0, cost.nsPerPoint()));
        }
    }

    /** Adds the cost relative to one node, few series or one tag. */
    private static void addRatios(Findings findings, Axis axis, SortedMap<Integer, ClusterCost> costs) {
        int base = axis == Axis.SERIES || axis == Axis.GROUPS ? FEW : 1;
        if (!costs.containsKey(base)) {
            return;
        }
        double few = costs.get(base).nsPerPoint();
        costs.tailMap(base + 1)
                .forEach((at, cost) ->
                        findings.ratio(axis.figure() + "_" + at + TO + base, Rounding.to(2, cost.nsPerPoint() / few)));
    }
}
