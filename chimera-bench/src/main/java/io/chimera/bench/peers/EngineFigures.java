package io.chimera.bench.peers;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.stream.Stream;

/**
 * Common parts of reports about engines with the same job. The name of a figure is the name of its engine followed by a
 * suffix.
 *
 * @param report name of the reports
 * @param unit counted items, in the plural
 * @param title title of the plots
 * @param lastColumn header of the column specific to these reports
 * @param lastFigure suffix of the figures in this column; empty for ratios
 */
public record EngineFigures(String report, String unit, String title, String lastColumn, String lastFigure) {
    /** Header of the last column in reports without a specific column. */
    public static final String TIMES = "Chimera does times as much";

    static final String CPU = "_cpu_s";
    static final String FEEDER_CPU = "_feeder_cpu_s";
    static final String MEMORY = "_rss_mb";
    private static final String WALL = "_wall_s";
    private static final double BYTES_PER_MB = 1e6;

    /** Returns whether a report has this name. */
    public boolean isFor(Report one) {
        return one.name().equals(report);
    }

    /** Adds the figures of an engine. */
    public void put(EngineMeasurement seen, Findings findings) {
        findings.figure(seen.engine() + rate(), Rounding.to(0, seen.rate()));
        findings.figure(seen.engine() + wallRate(), Rounding.to(0, seen.points() / seen.wallSeconds()));
        findings.figure(seen.engine() + CPU, Rounding.to(2, seen.cpuSeconds()));
        findings.figure(seen.engine() + FEEDER_CPU, Rounding.to(2, seen.feederCpuSeconds()));
        findings.figure(seen.engine() + WALL, Rounding.to(2, seen.wallSeconds()));
        findings.figure(seen.engine() + MEMORY, Rounding.to(0, seen.residentBytes() / BYTES_PER_MB));
    }

    /** Returns the engines in a report. */
    Stream<String> engines(Report one) {
        return one.figures().keySet().stream()
                .filter(figure -> figure.endsWith(rate()))
                .map(figure -> figure.substring(0, figure.length() - rate().length()));
    }

    /** Returns the value of an engine in the last column; null if absent. */
    BigDecimal last(Report one, String engine) {
        return lastFigure.isEmpty() ? one.ratios().get(engine) : one.figures().get(engine + lastFigure);
    }

    /** Returns the suffix of rates per second of processor time. */
    String rate() {
        return "_" + unit + "_per_cpu_s";
    }

    /** Returns the suffix of rates per second. */
    String wallRate() {
        return "_" + unit + "_per_s";
    }
}
