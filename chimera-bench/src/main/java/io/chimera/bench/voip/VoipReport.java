package io.chimera.bench.voip;

import io.chimera.bench.peers.EngineFigures;
import io.chimera.bench.peers.EngineMeasurement;
import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.util.Optional;
import java.util.Set;

/** Turns measurements of VoIPSTREAM into a report. */
public final class VoipReport {
    /** Suffix of the processor time of one detector. */
    private static final String DETECTOR_CPU = "_detector_cpu_s";

    /** Figures of these reports. */
    public static final EngineFigures FIGURES =
            new EngineFigures("bench voip", "calls", "VoIPSTREAM", "detector CPU-s", DETECTOR_CPU);

    static final String CHIMERA = "chimera";
    static final String STORM = "storm";

    private static final String STORM_MEMORY = "storm_rss";

    private static final String RATE_GOAL = "5";

    /** 1/11. */
    private static final String MEMORY_GOAL = "0.091";

    /** Maximum cost of one of N detectors relative to theory: ten percent more. */
    private static final String SCALING_GOAL = "1.1";

    private final VoipResults results;

    VoipReport(VoipResults results) {
        this.results = results;
    }

    Report report(Machine machine) {
        Findings findings = new Findings();
        results.measurements().forEach(seen -> FIGURES.put(seen, findings));
        results.detectorCpuSeconds()
                .forEach((engine, seconds) ->
                        findings.figure(engine + DETECTOR_CPU, Rounding.to(3, seconds / detectors(engine))));
        Set<String> telemarketers = CallFile.telemarketers();
        findings.figure("precision", Rounding.to(3, results.reckoning().precision(telemarketers)));
        findings.figure("recall", Rounding.to(3, results.reckoning().recall(telemarketers)));
        findings.figure("crossing_of_2", Rounding.to(3, results.reckoning().crossingOf2()));
        findings.figure("crossing_of_4", Rounding.to(3, results.reckoning().crossingOf4()));
        compare(findings);
        scaling(findings);
        return findings.report(FIGURES.report(), machine);
    }

    private void compare(Findings findings) {
        Optional<EngineMeasurement> chimera = measurement(CHIMERA);
        Optional<EngineMeasurement> storm = measurement(STORM);
        if (chimera.isEmpty() || storm.isEmpty()) {
            return;
        }
        EngineMeasurement ours = chimera.get();
        EngineMeasurement theirs = storm.get();
        findings.ratio(STORM, Rounding.to(2, ours.rate() / theirs.rate()));
        findings.ratio(STORM + "_with_feeder", Rounding.to(2, ours.rateWithFeeder() / theirs.rateWithFeeder()));
        findings.ratio(STORM_MEMORY, Rounding.to(3, (double) ours.residentBytes() / theirs.residentBytes()));
        findings.atLeast(STORM, RATE_GOAL);
        findings.atMost(STORM_MEMORY, MEMORY_GOAL);
    }

    private Optional<EngineMeasurement> measurement(String engine) {
        return results.measurements().stream()
                .filter(seen -> seen.engine().equals(engine))
                .findFirst();
    }

    /**
     * Adds the cost of one of N detectors relative to theory: M(1+p)/N of the calls, where a single detector processes
     * M. Here a detector processes halves of calls, 2M/N of 2M, so theory expects a little less; the report has both
     * ratios.
     */
    private void scaling(Findings findings) {
        Double alone = results.detectorCpuSeconds().get(CHIMERA + "_1");
        if (alone == null) {
            return;
        }
        results.detectorCpuSeconds().forEach((engine, seconds) -> {
            int detectors = detectors(engine);
            if (detectors > 1) {
                double cost = seconds / detectors / alone;
                double clones = 1 + (detectors - 1.0) / detectors;
                String toTheory = "detector_of_" + detectors + "_to_theory";
                findings.ratio(toTheory, Rounding.to(2, cost * detectors / clones));
                findings.ratio("detector_of_" + detectors + "_to_halves", Rounding.to(2, cost * detectors));
                findings.atMost(toTheory, SCALING_GOAL);
            }
        });
    }

    /** Returns the number of detectors in the name of an engine; 2 by default. */
    private static int detectors(String engine) {
        int at = engine.indexOf('_');
        return at < 0 ? 2 : Integer.parseInt(engine.substring(at + 1));
    }
}
