package io.chimera.bench.trending;

import io.chimera.bench.peers.EngineFigures;
import io.chimera.bench.peers.EngineMeasurement;
import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.util.List;
import java.util.Map;

/** Turns measurements of engines over tweets into a report. */
public final class TrendingReport {
    /** Figures of these reports. */
    public static final EngineFigures FIGURES =
            new EngineFigures("bench trending", "tweets", "Hashtags of tweets", EngineFigures.TIMES, "");

    static final String CHIMERA = "chimera";

    /** Goals: Chimera's tweets per second of processor time divided by the peer's. */
    private static final Map<String, String> GOALS = Map.of("storm", "23.5", "loop", "6");

    private final List<EngineMeasurement> measurements;

    TrendingReport(List<EngineMeasurement> measurements) {
        this.measurements = List.copyOf(measurements);
    }

    Report report(Machine machine) {
        Findings findings = new Findings();
        measurements.forEach(seen -> FIGURES.put(seen, findings));
        measurements.stream()
                .filter(seen -> seen.engine().equals(CHIMERA))
                .findFirst()
                .ifPresent(chimera -> compare(chimera, findings));
        return findings.report(FIGURES.report(), machine);
    }

    private void compare(EngineMeasurement chimera, Findings findings) {
        for (EngineMeasurement peer : measurements) {
            if (peer.equals(chimera)) {
                continue;
            }
            findings.ratio(peer.engine(), Rounding.to(2, chimera.rate() / peer.rate()));
            findings.ratio(
                    peer.engine() + "_with_feeder", Rounding.to(2, chimera.rateWithFeeder() / peer.rateWithFeeder()));
            if (GOALS.containsKey(peer.engine())) {
                findings.atLeast(peer.engine(), GOALS.get(peer.engine()));
            }
        }
    }
}
