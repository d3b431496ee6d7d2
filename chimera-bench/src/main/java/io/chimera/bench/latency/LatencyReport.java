package io.chimera.bench.latency;

import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AbstractHistogram;

/** Turns what was measured into a report. */
final class LatencyReport {
    /** The name of the report. */
    static final String NAME = "bench latency";

    /** Begins the names of figures of senders, which are followed by sync and load. */
    static final String ACK = "ack_";

    /** Begins the names of figures of cycles, which are followed by the load. */
    static final String CYCLE = "cycle_";

    /** Begins the names of figures of the queue node's pauses, which are followed by sync and load. */
    static final String PAUSE = "gc_";

    /** Stands around the sync in the name of a maximum. */
    static final String MAX = "max_";

    /** Ends the names of rates. */
    static final String RATE = "_points_per_s";

    /** Begins the names of figures of syncs of a plain file. */
    static final String DISK = "disk_sync";

    /** The load that the goals are for. */
    private static final int HALF = 50;

    private static final long GOAL_NONE_US = 2_000;

    /** Beyond the interval of the syncs. */
    private static final long GOAL_INTERVAL_US = 5_000;

    private static final long GOAL_PAUSE_MS = 10;

    private final LatencyResults results;

    LatencyReport(LatencyResults results) {
        this.results = results;
    }

    Report report(Machine machine) {
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        figures.put("request_points", BigDecimal.valueOf(LatencyRun.BODY_POINTS));
        results.maxima().forEach((sync, rate) -> figures.put(MAX + sync.setting() + RATE, Rounding.to(0, rate)));
        Map<String, Goal> goals = new LinkedHashMap<>();
        for (Acknowledged seen : results.acknowledged()) {
            figures.put(name(seen) + RATE, Rounding.to(0, seen.pointsPerSecond()));
            addFigures(figures, name(seen), seen.waits());
            if (seen.load() == HALF) {
                String figure = name(seen) + "_p99_us";
                goals.put(figure, Goal.atMost(BigDecimal.valueOf(goalUs(seen.sync())), figures.get(figure)));
            }
        }
        results.pauses().forEach((name, pausesMs) -> addPauses(figures, goals, name, pausesMs));
        results.disk().ifPresent(times -> addFigures(figures, DISK, times));
        results.cycles().forEach((load, times) -> addFigures(figures, CYCLE + load, times));
        return new Report(NAME, figures, Map.of(), goals, machine);
    }

    private static void addPauses(
            Map<String, BigDecimal> figures, Map<String, Goal> goals, String name, List<Double> pausesMs) {
        String most = PAUSE + name + "_max_ms";
        figures.put(
                most,
                Rounding.to(1, pausesMs.stream().mapToDouble(ms -> ms).max().orElse(0)));
        figures.put(PAUSE + name + "_count", BigDecimal.valueOf(pausesMs.size()));
        if (name.endsWith("_" + HALF)) {
            goals.put(most, Goal.atMost(BigDecimal.valueOf(GOAL_PAUSE_MS), figures.get(most)));
        }
    }

    private static String name(Acknowledged seen) {
        return ACK + seen.sync().setting() + "_" + seen.load();
    }

    private static long goalUs(Sync sync) {
        return sync.everyMs() == 0 ? GOAL_NONE_US : TimeUnit.MILLISECONDS.toMicros(sync.everyMs()) + GOAL_INTERVAL_US;
    }

    private static void addFigures(Map<String, BigDecimal> figures, String name, AbstractHistogram times) {
        figures.put(name + "_p50_us", micros(times.getValueAtPercentile(50)));
        figures.put(name + "_p99_us", micros(times.getValueAtPercentile(99)));
        figures.put(name + "_p999_us", micros(times.getValueAtPercentile(99.9)));
        figures.put(name + "_max_us", micros(times.getMaxValue()));
        figures.put(name + "_count", BigDecimal.valueOf(times.getTotalCount()));
    }

    private static BigDecimal micros(long ns) {
        return BigDecimal.valueOf(TimeUnit.NANOSECONDS.toMicros(ns));
    }

    private static void addFigures(Map<String, BigDecimal> figures, String name, List<Long> timesMs) {
        if (timesMs.isEmpty()) {
            return;
        }
        figures.put(name + "_p50_ms", BigDecimal.valueOf(CycleTimes.percentile(timesMs, 50)));
        figures.put(name + "_p99_ms", BigDecimal.valueOf(CycleTimes.percentile(timesMs, 99)));
        figures.put(name + "_count", BigDecimal.valueOf(timesMs.size()));
    }
}
