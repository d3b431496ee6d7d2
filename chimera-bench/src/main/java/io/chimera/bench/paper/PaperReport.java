package io.chimera.bench.paper;

import io.chimera.bench.paper.disk.Saturation;
import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.List;

/** Turns the results into a report. */
final class PaperReport {
    /** Name of the report. */
    static final String NAME = "bench paper";

    /** Suffix of rates. */
    static final String RATE = "_points_per_s";

    /** Suffix of rates per core. */
    static final String CORE_RATE = "_points_per_core_s";

    /** Suffix of used cores. */
    static final String CORES = "_cores";

    /** Suffix of written or sent bytes. */
    static final String MEGABYTES = "_mb_per_s";

    /** Suffix of the ratio of rates per core. */
    static final String TO_PAPER = "_to_paper";

    /** Suffix of the ratio of MB/s. */
    static final String MEGABYTES_TO_PAPER = "_mb_to_paper";

    /** Suffix of the ratio of the second half's rate to the first half's. */
    static final String LATE_TO_EARLY = "_late_to_early";

    /** Suffix of the ratio of the written bytes to the limit of the disk. */
    static final String TO_DISK = "_disk_to_limit";

    /** Infix of the points per second in a step, before the number of the step. */
    static final String STEP = "_step_points_per_s_";

    /** Infix of the answers 503 per second in a step, before the number of the step. */
    static final String REFUSED_STEP = "_step_503_per_s_";

    /** Goal of a rate compared with the paper's. */
    private static final String HIGHER = "1";

    private static final String KEPT = "0.9";

    /** Share of the limit above which the disk counts as saturated. */
    private static final String SATURATED = "0.8";

    private static final double BYTES_PER_MB = 1e6;

    private final PaperResults results;

    PaperReport(PaperResults results) {
        this.results = results;
    }

    Report report(Machine machine) {
        Findings findings = new Findings();
        results.measurements().forEach(measurement -> add(findings, measurement));
        results.saturations().forEach(saturation -> add(findings, saturation));
        return findings.report(NAME, machine);
    }

    private static void add(Findings findings, PaperMeasurement seen) {
        String name = seen.row().name();
        findings.figure(name + RATE, Rounding.to(0, seen.pointsPerSecond()));
        findings.figure(name + CORES, Rounding.to(2, seen.cores()));
        findings.figure(name + CORE_RATE, Rounding.to(0, seen.perCore()));
        findings.ratio(
                name + TO_PAPER,
                Rounding.to(2, seen.perCore() / seen.row().claim().perCore()));
        findings.atLeast(name + TO_PAPER, HIGHER);
        if (seen.pointBytes() > 0) {
            findings.figure(name + MEGABYTES, Rounding.to(1, seen.megabytesPerSecond()));
        }
        if (seen.row().part() == PaperPart.FIGURE_5B) {
            double paper = seen.row().claim().megabytesPerSecond();
            findings.ratio(name + MEGABYTES_TO_PAPER, Rounding.to(2, seen.megabytesPerSecond() / seen.cores() / paper));
        }
    }

    private static void add(Findings findings, Saturation seen) {
        String name = PaperCatalog.saturated(seen.cyclePoints()).name();
        findings.figure(name + "_answers_503", BigDecimal.valueOf(seen.refused()));
        findings.figure(name + "_lost_points", BigDecimal.valueOf(seen.lost()));
        findings.figure(name + "_cycles", BigDecimal.valueOf(seen.cycleSeconds().size()));
        findings.figure(name + "_slowest_to_median_cycle", Rounding.to(2, seen.slowestToMedian()));
        findings.figure(name + "_resident_mb", Rounding.to(0, seen.memory().residentBytes() / BYTES_PER_MB));
        findings.figure(name + "_dirty_mb", Rounding.to(0, seen.memory().dirtyBytes() / BYTES_PER_MB));
        addSteps(findings, name + STEP, seen.steps());
        addSteps(findings, name + REFUSED_STEP, seen.refusedSteps());
        findings.ratio(name + LATE_TO_EARLY, Rounding.to(2, seen.lateToEarly()));
        findings.atLeast(name + LATE_TO_EARLY, KEPT);
        findings.ratio(name + TO_DISK, Rounding.to(2, seen.diskBytesPerSecond() / seen.limitBytesPerSecond()));
        findings.atLeast(name + TO_DISK, SATURATED);
        findings.atLeast(name + "_answers_503", "1");
        findings.atMost(name + "_lost_points", "0");
    }

    private static void addSteps(Findings findings, String name, List<Double> rates) {
        for (int step = 0; step < rates.size(); step++) {
            findings.figure(name + (step + 1), Rounding.to(0, rates.get(step)));
        }
    }
}
