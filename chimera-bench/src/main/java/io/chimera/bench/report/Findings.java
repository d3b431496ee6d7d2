package io.chimera.bench.report;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Collects the results of several measurements for a report, by name and in the order of insertion. One thread. */
public final class Findings {
    private final Map<String, BigDecimal> figures = new LinkedHashMap<>();
    private final Map<String, BigDecimal> ratios = new LinkedHashMap<>();
    private final Map<String, Goal> goals = new LinkedHashMap<>();
    private final Map<String, String> leftOut = new LinkedHashMap<>();

    /** Creates empty findings. */
    public Findings() {}

    /** Adds a figure. */
    public void figure(String name, BigDecimal value) {
        figures.put(name, value);
    }

    /** Adds a ratio. */
    public void ratio(String name, BigDecimal value) {
        ratios.put(name, value);
    }

    /** Adds the reason of a missing figure or ratio. */
    public void leftOut(String name, String reason) {
        leftOut.put(name, reason);
    }

    /** Sets a minimum for a ratio or figure, if one with this name exists. */
    public void atLeast(String name, String goal) {
        BigDecimal seen = seen(name);
        if (seen != null) {
            goals.put(name, Goal.atLeast(new BigDecimal(goal), seen));
        }
    }

    /** Sets a maximum for a ratio or figure, if one with this name exists. */
    public void atMost(String name, String goal) {
        BigDecimal seen = seen(name);
        if (seen != null) {
            goals.put(name, Goal.atMost(new BigDecimal(goal), seen));
        }
    }

    private BigDecimal seen(String name) {
        return ratios.getOrDefault(name, figures.get(name));
    }

    /** Adds all other findings. */
    public void add(Findings others) {
        figures.putAll(others.figures);
        ratios.putAll(others.ratios);
        goals.putAll(others.goals);
        leftOut.putAll(others.leftOut);
    }

    /** Returns the figures by name. */
    public Map<String, BigDecimal> figures() {
        return Collections.unmodifiableMap(figures);
    }

    /** Returns the ratios by name. */
    public Map<String, BigDecimal> ratios() {
        return Collections.unmodifiableMap(ratios);
    }

    /** Returns the goals by the name of the ratio or figure. */
    public Map<String, Goal> goals() {
        return Collections.unmodifiableMap(goals);
    }

    /** Creates a report. */
    public Report report(String name, Machine machine) {
        return new Report(name, figures, ratios, goals, leftOut, machine);
    }
}
