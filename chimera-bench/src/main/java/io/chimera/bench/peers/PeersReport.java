package io.chimera.bench.peers;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.util.List;
import java.util.Map;

/** Turns measurements of engines into a report. */
public final class PeersReport {
    /** Figures of these reports. */
    public static final EngineFigures FIGURES =
            new EngineFigures("bench peers", "points", "The same job", EngineFigures.TIMES, "");

    private static final String CHIMERA = "chimera";
    private static final String WITH_FEEDER = "_with_feeder";
    private static final String FLINK_MEMORY = "flink_rss";

    /** Goals: Chimera's points per second of processor time divided by the peer's. */
    private static final Map<String, String> RATIO_GOALS = Map.of(
            "flink", "6",
            "storm", "7",
            "storm_acking", "18",
            "jet", "3.5",
            "kafka_streams", "30",
            "telegraf", "15",
            "loop", "2");

    private final List<EngineMeasurement> measurements;

    PeersReport(List<EngineMeasurement> measurements) {
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
                    peer.engine() + WITH_FEEDER, Rounding.to(2, chimera.rateWithFeeder() / peer.rateWithFeeder()));
            if (RATIO_GOALS.containsKey(peer.engine())) {
                findings.atLeast(peer.engine(), RATIO_GOALS.get(peer.engine()));
            }
            if (peer.engine().equals("flink")) {
                findings.ratio(FLINK_MEMORY, Rounding.to(2, (double) chimera.residentBytes() / peer.residentBytes()));
                findings.atMost(FLINK_MEMORY, "0.5");
            }
        }
    }
}
