package io.chimera.bench.report;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was found by several measurements, as it is put together for a report: by names, in the order that it came in. One thread. */
public final class Findings {
    private final Map<String, BigDecimal> figures = new LinkedHashMap<>();
    private final Map<String, BigDecimal> ratios = new LinkedHashMap<>();
    private final Map<String, Goal> goals = new LinkedHashMap<>();

    /** Nothing was found yet. */
    public Findings() {}

    /** Adds a figure. */
    public void figure(String name, BigDecimal value) {
        figures.put(name, value);
    }

    /** Adds a ratio. */
    public void ratio(String name, BigDecimal value) {
        ratios.put(name, value);
    }

    /** Sets a goal for a rate: a ratio or a figure, where there is one of that name. */
    public void atLeast(String name, String goal) {
        BigDecimal seen = seen(name);
        if (seen != null) {
            goals.put(name, Goal.atLeast(new BigDecimal(goal), seen));
        }
    }

    /** Sets a goal for a cost: a ratio or a figure, where there is one of that name. */
    public void atMost(String name, String goal) {
        BigDecimal seen = seen(name);
        if (seen != null) {
            goals.put(name, Goal.atMost(new BigDecimal(goal), seen));
        }
    }

    private BigDecimal seen(String name) {
        return ratios.getOrDefault(name, figures.get(name));
    }

    /** Adds all that others found. */
    public void add(Findings others) {
        figures.putAll(others.figures);
        ratios.putAll(others.ratios);
        goals.putAll(others.goals);
    }

    /** By their names. */
    public Map<String, BigDecimal> figures() {
        return Collections.unmodifiableMap(figures);
    }

    /** By their names. */
    public Map<String, BigDecimal> ratios() {
        return Collections.unmodifiableMap(ratios);
    }

    /** By the names of ratios and figures. */
    public Map<String, Goal> goals() {
        return Collections.unmodifiableMap(goals);
    }

    /** The report of it. */
    public Report report(String name, Machine machine) {
        return new Report(name, figures, ratios, goals, machine);
    }
}
