package io.chimera.bench.trending;

import io.chimera.bench.peers.EngineFigures;
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
public final class TrendingReport {
    /** Which figures these reports have. */
    public static final EngineFigures FIGURES =
            new EngineFigures("bench trending", "tweets", "Hashtags of tweets", EngineFigures.TIMES, "");

    static final String CHIMERA = "chimera";

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
            FIGURES.put(seen, figures);
        }
        Map<String, BigDecimal> ratios = new LinkedHashMap<>();
        Map<String, Goal> goals = new LinkedHashMap<>();
        measurements.stream()
                .filter(seen -> seen.engine().equals(CHIMERA))
                .findFirst()
                .ifPresent(chimera -> compare(chimera, ratios, goals));
        return new Report(FIGURES.report(), figures, ratios, goals, machine);
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
