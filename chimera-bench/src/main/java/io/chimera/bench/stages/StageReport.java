package io.chimera.bench.stages;

import static io.chimera.bench.report.MarkdownTable.ALLOCATED;
import static io.chimera.bench.report.MarkdownTable.RATE;
import static io.chimera.bench.report.MarkdownTable.TIME;
import static io.chimera.bench.report.MarkdownTable.TO;

import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Turns measurements of stages into a report. */
final class StageReport {
    private static final double NS_PER_S = 1e9;

    private final List<Stage> stages;
    private final Map<String, Measurement> measurements;

    StageReport(List<Stage> stages, List<Measurement> measurements) {
        this.stages = stages;
        this.measurements = measurements.stream().collect(Collectors.toMap(Measurement::stage, Function.identity()));
    }

    Report report(Machine machine) {
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        Map<String, BigDecimal> ratios = new LinkedHashMap<>();
        for (Stage stage : stages) {
            Measurement seen = measurements.get(stage.name());
            figures.put(stage.name() + RATE, Rounding.to(0, NS_PER_S / seen.nsPerPoint()));
            figures.put(stage.name() + TIME, Rounding.to(1, seen.nsPerPoint()));
            figures.put(stage.name() + ALLOCATED, Rounding.to(1, seen.allocatedBytes()));
            if (stage.limit() != null) {
                double limitNs = measurements.get(stage.limit()).nsPerPoint();
                ratios.put(stage.name() + TO + stage.limit(), Rounding.to(2, seen.nsPerPoint() / limitNs));
            }
        }
        return new Report("bench stages", figures, ratios, goals(figures, ratios), machine);
    }

    /** The goals whose figure was measured. */
    private static Map<String, Goal> goals(Map<String, BigDecimal> figures, Map<String, BigDecimal> ratios) {
        Map<String, Goal> goals = new LinkedHashMap<>();
        addGoal(goals, figures, "parse_346" + RATE, 5_000_000, Goal::atLeast);
        // the profiler counts what JMH itself allocates too; rounding to a tenth of a byte leaves that out
        addGoal(goals, figures, "parse_346" + ALLOCATED, 0, Goal::atMost);
        addGoal(goals, figures, "wire_encode" + TIME, 250, Goal::atMost);
        addGoal(goals, figures, "channel" + RATE, 4_300_000, Goal::atLeast);
        addGoal(goals, figures, "fold" + RATE, 6_000_000, Goal::atLeast);
        addGoal(goals, figures, "fold_off_heap" + RATE, 3_000_000, Goal::atLeast);
        // 0.8 times the rate of the limit is 1.25 times its time
        addGoal(goals, ratios, "journal" + TO + "file_write", 1.25, Goal::atMost);
        addGoal(goals, ratios, "journal_tmpfs" + TO + "file_write_tmpfs", 1.25, Goal::atMost);
        addGoal(goals, ratios, "channel" + TO + "socket_copy", 1.25, Goal::atMost);
        return goals;
    }

    private static void addGoal(
            Map<String, Goal> goals, Map<String, BigDecimal> figures, String figure, double goal, GoalForm form) {
        BigDecimal seen = figures.get(figure);
        if (seen != null) {
            goals.put(figure, form.of(BigDecimal.valueOf(goal), seen));
        }
    }

    private interface GoalForm {
        Goal of(BigDecimal goal, BigDecimal seen);
    }
}
