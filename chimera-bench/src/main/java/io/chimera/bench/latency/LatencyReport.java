package io.chimera.bench.latency;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AbstractHistogram;

/** Turns latency results into a report. */
final class LatencyReport {
    /** Name of the report. */
    static final String NAME = "bench latency";

    /** Prefix of figures of senders, followed by sync and load. */
    static final String ACK = "ack_";

    /** Prefix of figures of cycles, followed by the load. */
    static final String CYCLE = "cycle_";

    /** Prefix of figures of the queue node's GC pauses, followed by sync and load. */
    static final String PAUSE = "gc_";

    /** Prefix of a maximum rate, followed by the sync. */
    static final String MAX = "max_";

    /** Suffix of rates. */
    static final String RATE = "_points_per_s";

    /** Prefix of figures of syncs of a plain file. */
    static final String DISK = "disk_sync";

    /** Load to which the goals apply. */
    private static final int HALF = 50;

    private static final long GOAL_NONE_US = 2_000;

    /** Goal in addition to the sync interval. */
    private static final long GOAL_INTERVAL_US = 5_000;

    private static final String GOAL_PAUSE_MS = "10";

    private final LatencyResults results;

    LatencyReport(LatencyResults results) {
        this.results = results;
    }

    Report report(Machine machine) {
        Findings findings = new Findings();
        findings.figure("request_points", BigDecimal.valueOf(LatencyRun.BODY_POINTS));
        results.maxima().forEach((sync, rate) -> findings.figure(MAX + sync.setting() + RATE, Rounding.to(0, rate)));
        for (Acknowledged seen : results.acknowledged()) {
            findings.figure(name(seen) + RATE, Rounding.to(0, seen.pointsPerSecond()));
            addFigures(findings, name(seen), seen.waits());
            if (seen.load() == HALF) {
                findings.atMost(name(seen) + "_p99_us", Long.toString(goalUs(seen.sync())));
            }
        }
        results.pauses().forEach((name, pausesMs) -> addPauses(findings, name, pausesMs));
        results.disk().ifPresent(times -> addFigures(findings, DISK, times));
        results.cycles().forEach((load, times) -> addFigures(findings, CYCLE + load, times));
        return findings.report(NAME, machine);
    }

    private static void addPauses(Findings findings, String name, List<Double> pausesMs) {
        String most = PAUSE + name + "_max_ms";
        findings.figure(
                most,
                Rounding.to(1, pausesMs.stream().mapToDouble(ms -> ms).max().orElse(0)));
        findings.figure(PAUSE + name + "_count", BigDecimal.valueOf(pausesMs.size()));
        if (name.endsWith("_" + HALF)) {
            findings.atMost(most, GOAL_PAUSE_MS);
        }
    }

    private static String name(Acknowledged seen) {
        return ACK + seen.sync().setting() + "_" + seen.load();
    }

    private static long goalUs(Sync sync) {
        return sync.everyMs() == 0 ? GOAL_NONE_US : TimeUnit.MILLISECONDS.toMicros(sync.everyMs()) + GOAL_INTERVAL_US;
    }

    private static void addFigures(Findings findings, String name, AbstractHistogram times) {
        findings.figure(name + "_p50_us", micros(times.getValueAtPercentile(50)));
        findings.figure(name + "_p99_us", micros(times.getValueAtPercentile(99)));
        findings.figure(name + "_p999_us", micros(times.getValueAtPercentile(99.9)));
        findings.figure(name + "_max_us", micros(times.getMaxValue()));
        findings.figure(name + "_count", BigDecimal.valueOf(times.getTotalCount()));
    }

    private static BigDecimal micros(long ns) {
        return BigDecimal.valueOf(TimeUnit.NANOSECONDS.toMicros(ns));
    }

    private static void addFigures(Findings findings, String name, List<Long> timesMs) {
        if (timesMs.isEmpty()) {
            return;
        }
        findings.figure(name + "_p50_ms", BigDecimal.valueOf(CycleTimes.percentile(timesMs, 50)));
        findings.figure(name + "_p99_ms", BigDecimal.valueOf(CycleTimes.percentile(timesMs, 99)));
        findings.figure(name + "_count", BigDecimal.valueOf(timesMs.size()));
    }
}
