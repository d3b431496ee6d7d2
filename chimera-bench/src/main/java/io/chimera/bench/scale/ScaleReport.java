package io.chimera.bench.scale;

import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

/** Turns costs into a report. */
final class ScaleReport {
    /** The name of the report. */
    static final String NAME = "bench scale";

    /** Ends of the names of figures. */
    static final String RATE = "_points_per_cpu_s";

    /** See {@link #RATE}. */
    static final String WALL_RATE = "_points_per_s";

    /** See {@link #RATE}. */
    static final String TIME = "_ns";

    /** Stands between what is compared in the name of a ratio. */
    static final String TO = "_to_";

    /** Many series are compared with so many. */
    private static final int FEW = 1_000;

    private static final String GOAL = Axis.SERIES.figure() + "_1000000" + TO + FEW;
    private static final BigDecimal GOAL_TIMES = BigDecimal.valueOf(2);

    private final ScaleResults results;

    ScaleReport(ScaleResults results) {
        this.results = results;
    }

    Report report(Machine machine) {
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        Map<String, BigDecimal> ratios = new LinkedHashMap<>();
        results.costs().forEach((axis, costs) -> {
            costs.forEach((at, cost) -> addFigures(figures, axis, at, cost));
            addRatios(ratios, axis, costs);
        });
        Map<String, Goal> goals = new LinkedHashMap<>();
        if (ratios.containsKey(GOAL)) {
            goals.put(GOAL, Goal.atMost(GOAL_TIMES, ratios.get(GOAL)));
        }
        return new Report(NAME, figures, ratios, goals, machine);
    }

    private static void addFigures(Map<String, BigDecimal> figures, Axis axis, int at, Cost cost) {
        String name = axis.figure() + "_" + at;
        if (axis.isOfNodes()) {
            figures.put(name + RATE, Rounding.to(0, cost.pointsPerCpuSecond()));
            figures.put(name + WALL_RATE, Rounding.to(0, cost.pointsPerSecond()));
        } else {
            figures.put(name + TIME, Rounding.to(0, cost.nsPerPoint()));
        }
    }

    /** How many times the cost of one node, of few series or of one tag. */
    private static void addRatios(Map<String, BigDecimal> ratios, Axis axis, SortedMap<Integer, Cost> costs) {
        int base = axis == Axis.SERIES || axis == Axis.GROUPS ? FEW : 1;
        if (!costs.containsKey(base)) {
            return;
        }
        double few = costs.get(base).nsPerPoint();
        costs.tailMap(base + 1)
                .forEach((at, cost) ->
                        ratios.put(axis.figure() + "_" + at + TO + base, Rounding.to(2, cost.nsPerPoint() / few)));
    }
}
