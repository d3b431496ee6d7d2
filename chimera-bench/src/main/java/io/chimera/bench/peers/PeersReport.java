package io.chimera.bench.peers;

import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns measurements of engines into a report. */
public final class PeersReport {
    /** Which figures these reports have. */
    public static final EngineFigures FIGURES =
            new EngineFigures("bench peers", "points", "The same job", EngineFigures.TIMES, "");

    private static final String CHIMERA = "chimera";
    private static final String WITH_FEEDER = "_with_feeder";
    private static final String FLINK_MEMORY = "flink_rss";

    /** Times the points per second of processor time that the peer does. */
    private static final Map<String, BigDecimal> RATIO_GOALS = Map.of(
            "flink", BigDecimal.valueOf(6),
            "storm", BigDecimal.valueOf(7),
            "storm_acking", BigDecimal.valueOf(18),
            "jet", new BigDecimal("3.5"),
            "kafka_streams", BigDecimal.valueOf(30),
            "telegraf", BigDecimal.valueOf(15),
            "loop", BigDecimal.valueOf(2));

    private static final BigDecimal MEMORY_GOAL = new BigDecimal("0.5");

    private final List<Measurement> measurements;

    PeersReport(List<Measurement> measurements) {
        this.measurements = List.copyOf(measurements);
    }

    Report report(Machine machine) {
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        for (Measurement seen : measurements) {
            FIGURES.put(seen, figures);
        }
        Map<String, BigDecimal> ratios = ratios();
        return new Report(FIGURES.report(), figures, ratios, goals(ratios), machine);
    }

    private Map<String, BigDecimal> ratios() {
        Map<String, BigDecimal> ratios = new LinkedHashMap<>();
        Measurement chimera = measurements.stream()
                .filter(seen -> seen.engine().equals(CHIMERA))
                .findFirst()
                .orElse(null);
        if (chimera == null) {
            return ratios;
        }
        for (Measurement peer : measurements) {
            if (peer.equals(chimera)) {
                continue;
            }
            ratios.put(peer.engine(), Rounding.to(2, chimera.rate() / peer.rate()));
            ratios.put(peer.engine() + WITH_FEEDER, Rounding.to(2, chimera.rateWithFeeder() / peer.rateWithFeeder()));
            if (peer.engine().equals("flink")) {
                ratios.put(FLINK_MEMORY, Rounding.to(2, (double) chimera.residentBytes() / peer.residentBytes()));
            }
        }
        return ratios;
    }

    private static Map<String, Goal> goals(Map<String, BigDecimal> ratios) {
        Map<String, Goal> goals = new LinkedHashMap<>();
        ratios.forEach((name, seen) -> {
            BigDecimal goal = RATIO_GOALS.get(name);
            if (goal != null) {
                goals.put(name, Goal.atLeast(goal, seen));
            } else if (name.equals(FLINK_MEMORY)) {
                goals.put(name, Goal.atMost(MEMORY_GOAL, seen));
            }
        });
        return goals;
    }
}
