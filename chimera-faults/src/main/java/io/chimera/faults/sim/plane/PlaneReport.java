package io.chimera.faults.sim.plane;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures of several sizes as text and as JSON. */
public final class PlaneReport {
    private static final double CONDUCTOR_MAX = 0.20;
    private static final double WRITES_MAX = 2_000;
    private static final double CONVERGE_MS_MAX = 300;
    private static final int GOAL_NODES = 1_000;

    private final List<PlaneFigures> sizes = new ArrayList<>();
    private final List<RealFigures> reals = new ArrayList<>();

    /** Creates an empty report. */
    public PlaneReport() {}

    /** Adds the figures of a size with a real server. */
    public void add(RealFigures figures) {
        reals.add(figures);
    }

    /** Returns a line with the figures of a real server. */
    public static String line(RealFigures one) {
        return String.format(
                Locale.ROOT,
                "nodes=%d lanes=%d cycles=%d writes_per_cycle=%.0f conductor=%.4f spread_ms=%.1f",
                one.size().nodes(),
                one.size().lanes(),
                one.cycles(),
                one.writesPerCycle(),
                one.conductorShare(),
                one.spreadNs() / 1e6);
    }

    /** Adds the figures of a size. */
    public void add(PlaneFigures figures) {
        sizes.add(figures);
    }

    /** Returns the title line of the table. */
    public static String title() {
        return String.format(
                "%6s %6s %7s %8s %10s %10s %11s %10s %9s %9s %9s %8s",
                "nodes",
                "lanes",
                "cycles",
                "writes",
                "written_kB",
                "reads",
                "read_kB",
                "fired",
                "conductor",
                "member",
                "converge",
                "view_kB");
    }

    /** Returns a line of the table, per cycle. */
    public static String line(PlaneFigures one) {
        PlaneCounts counts = one.counts();
        return String.format(
                Locale.ROOT,
                "%6d %6d %7d %8.0f %10.0f %10.0f %11.0f %10.0f %9.4f %9.5f %7.1fms %8d",
                one.size().nodes(),
                one.size().lanes(),
                one.cycles(),
                one.perCycle(counts.writes()),
                one.perCycle(counts.bytesWritten()) / 1e3,
                one.perCycle(counts.reads()),
                one.perCycle(counts.bytesRead()) / 1e3,
                one.perCycle(counts.watchesFired()),
                one.conductorShare(),
                one.memberShare(),
                one.convergeNs() / 1e6,
                one.viewBytes() / 1000);
    }

    /** Returns the JSON form of all figures. */
    public Map<String, Object> asMap() {
        Map<String, Object> figures = new LinkedHashMap<>();
        Map<String, Object> goals = new LinkedHashMap<>();
        for (PlaneFigures one : sizes) {
            String suffix = suffix(one.size());
            PlaneCounts counts = one.counts();
            figures.put("cycles" + suffix, one.cycles());
            figures.put("conductor" + suffix, rounded(one.conductorShare()));
            figures.put("member" + suffix, rounded(one.memberShare()));
            figures.put("converge_ms" + suffix, rounded(one.convergeNs() / 1e6));
            figures.put("zookeeper_writes" + suffix, rounded(one.perCycle(counts.writes())));
            figures.put("write_steps" + suffix, rounded(one.perCycle(counts.steps())));
            figures.put("written_bytes" + suffix, rounded(one.perCycle(counts.bytesWritten())));
            figures.put("reads" + suffix, rounded(one.perCycle(counts.reads())));
            figures.put("read_bytes" + suffix, rounded(one.perCycle(counts.bytesRead())));
            figures.put("watches_fired" + suffix, rounded(one.perCycle(counts.watchesFired())));
            figures.put("watches_set" + suffix, rounded(one.perCycle(counts.watchesSet())));
            figures.put("view_bytes" + suffix, one.viewBytes());
            if (one.size().nodes() == GOAL_NODES && one.size().lanes() == 1) {
                goals.put("conductor" + suffix, goal(CONDUCTOR_MAX, one.conductorShare()));
                goals.put("zookeeper_writes" + suffix, goal(WRITES_MAX, one.perCycle(counts.writes())));
                goals.put("converge_ms" + suffix, goal(CONVERGE_MS_MAX, one.convergeNs() / 1e6));
            }
        }
        for (RealFigures one : reals) {
            String suffix = suffix(one.size());
            figures.put("real_cycles" + suffix, one.cycles());
            figures.put("real_zookeeper_writes" + suffix, rounded(one.writesPerCycle()));
            figures.put("real_conductor_thread" + suffix, rounded(one.conductorShare()));
            figures.put("real_spread_ms" + suffix, rounded(one.spreadNs() / 1e6));
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("name", "sim-nodes");
        report.put("figures", figures);
        report.put("ratios", ratios());
        report.put("goals", goals);
        report.put("machine", machine());
        return report;
    }

    /** Returns exponents of growth between neighbouring sizes with the same lanes: 1 is linear, 2 is quadratic. */
    private Map<String, Object> ratios() {
        Map<String, Object> ratios = new LinkedHashMap<>();
        for (int i = 1; i < sizes.size(); i++) {
            PlaneFigures small = sizes.get(i - 1);
            PlaneFigures large = sizes.get(i);
            if (small.size().lanes() == large.size().lanes()
                    && large.size().nodes() > small.size().nodes()) {
                String suffix =
                        "_growth_" + small.size().nodes() + "_" + large.size().nodes();
                double sizesLog =
                        Math.log((double) large.size().nodes() / small.size().nodes());
                ratios.put(
                        "writes" + suffix,
                        exponent(
                                small,
                                large,
                                sizesLog,
                                small.counts().writes(),
                                large.counts().writes()));
                ratios.put(
                        "reads" + suffix,
                        exponent(
                                small,
                                large,
                                sizesLog,
                                small.counts().reads(),
                                large.counts().reads()));
                ratios.put(
                        "read_bytes" + suffix,
                        exponent(
                                small,
                                large,
                                sizesLog,
                                small.counts().bytesRead(),
                                large.counts().bytesRead()));
                ratios.put(
                        "watches_fired" + suffix,
                        exponent(
                                small,
                                large,
                                sizesLog,
                                small.counts().watchesFired(),
                                large.counts().watchesFired()));
                ratios.put(
                        "conductor" + suffix,
                        exponent(small, large, sizesLog, small.conductorNs(), large.conductorNs()));
            }
        }
        return ratios;
    }

    private static String suffix(PlaneSize size) {
        return "_" + size.nodes() + (size.lanes() > 1 ? "x" + size.lanes() : "");
    }

    private static double exponent(PlaneFigures small, PlaneFigures large, double sizesLog, long before, long after) {
        return rounded(Math.log(large.perCycle(after) / small.perCycle(before)) / sizesLog);
    }

    private static Map<String, Object> goal(double most, double seen) {
        Map<String, Object> goal = new LinkedHashMap<>();
        goal.put("goal", most);
        goal.put("seen", rounded(seen));
        goal.put("met", seen <= most);
        return goal;
    }

    private static Map<String, Object> machine() {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("processors", Runtime.getRuntime().availableProcessors());
        machine.put("jdk", Runtime.version().toString());
        machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        return machine;
    }

    private static double rounded(double value) {
        return Math.round(value * 10_000) / 10_000.0;
    }
}
