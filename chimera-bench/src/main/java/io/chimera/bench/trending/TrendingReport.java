package io.chimera.bench.trending;

import io.chimera.bench.peers.Measurement;
import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns measurements of engines over tweets into a report. */
final class TrendingReport {
    /** The name of the report. */
    static final String NAME = "bench trending";

    static final String CHIMERA = "chimera";

    /** Ends of the names of an engine's figures. */
    static final String RATE = "_tweets_per_cpu_s";

    /** See {@link #RATE}. */
    static final String WALL_RATE = "_tweets_per_s";

    /** See {@link #RATE}. */
    static final String CPU = "_cpu_s";

    /** See {@link #RATE}. */
    static final String FEEDER_CPU = "_feeder_cpu_s";

    /** See {@link #RATE}. */
    static final String WALL = "_wall_s";

    /** See {@link #RATE}. */
    static final String MEMORY = "_rss_mb";

    private static final double BYTES_PER_MB = 1e6;

    /** Times the tweets per second of processor time that the peer does. */
    private static final Map<String, BigDecimal> GOALS =
            Map.of("storm", new BigDecimal("23.5"), "loop", BigDecimal.valueOf(6));

    private final List<Measurement> measurements;

    TrendingReport(List<Measurement> measurements) {
        this.measurements = List.copyOf(measurements);
    }

    Report report(Machine machine) {
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        for (Measurement seen : measurements) {
            figures.put(seen.engine() + RATE, Rounding.to(0, seen.rate()));
            figures.put(seen.engine() + WALL_RATE, Rounding.to(0, seen.points() / seen.wallSeconds()));
            figures.put(seen.engine() + CPU, Rounding.to(2, seen.cpuSeconds()));
            figures.put(seen.engine() + FEEDER_CPU, Rounding.to(2, seen.feederCpuSeconds()));
            figures.put(seen.engine() + WALL, Rounding.to(2, seen.wallSeconds()));
            figures.put(seen.engine() + MEMORY, Rounding.to(0, seen.residentBytes() / BYTES_PER_MB));
        }
        Map<String, BigDecimal> ratios = new LinkedHashMap<>();
        Map<String, Goal> goals = new LinkedHashMap<>();
        measurements.stream()
                .filter(seen -> seen.engine().equals(CHIMERA))
                .findFirst()
                .ifPresent(chimera -> compare(chimera, ratios, goals));
        return new Report(NAME, figures, ratios, goals, machine);
    }

    private void compare(Measurement chimera, Map<String, BigDecimal> ratios, Map<String, Goal> goals) {
        for (Measurement peer : measurements) {
            if (peer.equals(chimera)) {
                continue;
            }
            BigDecimal ratio = Rounding.to(2, chimera.rate() / peer.rate());
            ratios.put(peer.engine(), ratio);
            ratios.put(
                    peer.engine() + "_with_feeder", Rounding.to(2, chimera.rateWithFeeder() / peer.rateWithFeeder()));
            if (GOALS.containsKey(peer.engine())) {
                goals.put(peer.engine(), Goal.atLeast(GOALS.get(peer.engine()), ratio));
            }
        }
    }
}
