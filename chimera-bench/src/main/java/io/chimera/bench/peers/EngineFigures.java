package io.chimera.bench.peers;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.stream.Stream;

/**
 * What reports of engines that do the same job have in common: the names of an engine's figures are the engine's, and what
 * they are.
 *
 * @param report name of the reports
 * @param unit what is counted, in the plural
 * @param title of the plots
 * @param lastColumn over the column that only these reports have
 * @param lastFigure end of the names of the figures in that column; empty: the ratios are there
 */
public record EngineFigures(String report, String unit, String title, String lastColumn, String lastFigure) {
    /** The column of reports that have none of their own. */
    public static final String TIMES = "Chimera does times as much";

    static final String CPU = "_cpu_s";
    static final String FEEDER_CPU = "_feeder_cpu_s";
    static final String MEMORY = "_rss_mb";
    private static final String WALL = "_wall_s";
    private static final double BYTES_PER_MB = 1e6;

    /** Whether a report is one of these. */
    public boolean isFor(Report one) {
        return one.name().equals(report);
    }

    /** Puts what was measured of an engine. */
    public void put(Measurement seen, Findings findings) {
        findings.figure(seen.engine() + rate(), Rounding.to(0, seen.rate()));
        findings.figure(seen.engine() + wallRate(), Rounding.to(0, seen.points() / seen.wallSeconds()));
        findings.figure(seen.engine() + CPU, Rounding.to(2, seen.cpuSeconds()));
        findings.figure(seen.engine() + FEEDER_CPU, Rounding.to(2, seen.feederCpuSeconds()));
        findings.figure(seen.engine() + WALL, Rounding.to(2, seen.wallSeconds()));
        findings.figure(seen.engine() + MEMORY, Rounding.to(0, seen.residentBytes() / BYTES_PER_MB));
    }

    /** Engines that a report has figures of. */
    Stream<String> engines(Report one) {
        return one.figures().keySet().stream()
                .filter(figure -> figure.endsWith(rate()))
                .map(figure -> figure.substring(0, figure.length() - rate().length()));
    }

    /** What an engine has in the last column; null: nothing. */
    BigDecimal last(Report one, String engine) {
        return lastFigure.isEmpty() ? one.ratios().get(engine) : one.figures().get(engine + lastFigure);
    }

    /** End of the names of rates per second of processor time. */
    String rate() {
        return "_" + unit + "_per_cpu_s";
    }

    /** End of the names of rates per second. */
    String wallRate() {
        return "_" + unit + "_per_s";
    }
}
