package io.chimera.bench.voip;

import io.chimera.bench.peers.EngineFigures;
import io.chimera.bench.peers.Measurement;
import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns measurements of VoIPSTREAM into a report. */
public final class VoipReport {
    /** End of the names of the processor time of one detector. */
    private static final String DETECTOR_CPU = "_detector_cpu_s";

    /** Which figures these reports have. */
    public static final EngineFigures FIGURES =
            new EngineFigures("bench voip", "calls", "VoIPSTREAM", "detector CPU-s", DETECTOR_CPU);

    static final String CHIMERA = "chimera";
    static final String STORM = "storm";

    private static final String STORM_MEMORY = "storm_rss";

    private static final BigDecimal RATE_GOAL = BigDecimal.valueOf(5);

    /** 1/11. */
    private static final BigDecimal MEMORY_GOAL = new BigDecimal("0.091");

    /** A detector of N takes what theory says, and a tenth more at most. */
    private static final BigDecimal SCALING_GOAL = new BigDecimal("1.1");

    private final VoipResults results;

    VoipReport(VoipResults results) {
        this.results = results;
    }

    Report report(Machine machine) {
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        for (Measurement seen : results.measurements()) {
            FIGURES.put(seen, figures);
        }
        results.detectorCpuSeconds()
                .forEach((engine, seconds) ->
                        figures.put(engine + DETECTOR_CPU, Rounding.to(3, seconds / detectors(engine))));
        Set<String> telemarketers = CallFile.telemarketers();
        figures.put("precision", Rounding.to(3, results.reckoning().precision(telemarketers)));
        figures.put("recall", Rounding.to(3, results.reckoning().recall(telemarketers)));
        figures.put("crossing_of_2", Rounding.to(3, results.reckoning().crossingOf2()));
        figures.put("crossing_of_4", Rounding.to(3, results.reckoning().crossingOf4()));
        Map<String, BigDecimal> ratios = new LinkedHashMap<>();
        Map<String, Goal> goals = new LinkedHashMap<>();
        compare(ratios, goals);
        scaling(ratios, goals);
        return new Report(FIGURES.report(), figures, ratios, goals, machine);
    }

    private void compare(Map<String, BigDecimal> ratios, Map<String, Goal> goals) {
        Optional<Measurement> chimera = measurement(CHIMERA);
        Optional<Measurement> storm = measurement(STORM);
        if (chimera.isEmpty() || storm.isEmpty()) {
            return;
        }
        Measurement ours = chimera.get();
        Measurement theirs = storm.get();
        BigDecimal ratio = Rounding.to(2, ours.rate() / theirs.rate());
        BigDecimal memory = Rounding.to(3, (double) ours.residentBytes() / theirs.residentBytes());
        ratios.put(STORM, ratio);
        ratios.put(STORM + "_with_feeder", Rounding.to(2, ours.rateWithFeeder() / theirs.rateWithFeeder()));
        ratios.put(STORM_MEMORY, memory);
        goals.put(STORM, Goal.atLeast(RATE_GOAL, ratio));
        goals.put(STORM_MEMORY, Goal.atMost(MEMORY_GOAL, memory));
    }

    private Optional<Measurement> measurement(String engine) {
        return results.measurements().stream()
                .filter(seen -> seen.engine().equals(engine))
                .findFirst();
    }

    /**
     * What a detector of N takes beside what it should: M(1+p)/N of the calls where one of 1 takes M. Here a detector takes
     * halves of calls, 2M/N of 2M, so theory asks for a little less: both are told.
     */
    private void scaling(Map<String, BigDecimal> ratios, Map<String, Goal> goals) {
        Double alone = results.detectorCpuSeconds().get(CHIMERA + "_1");
        if (alone == null) {
            return;
        }
        results.detectorCpuSeconds().forEach((engine, seconds) -> {
            int detectors = detectors(engine);
            if (detectors > 1) {
                double cost = seconds / detectors / alone;
                double clones = 1 + (detectors - 1.0) / detectors;
                BigDecimal toTheory = Rounding.to(2, cost * detectors / clones);
                ratios.put("detector_of_" + detectors + "_to_theory", toTheory);
                ratios.put("detector_of_" + detectors + "_to_halves", Rounding.to(2, cost * detectors));
                goals.put("detector_of_" + detectors + "_to_theory", Goal.atMost(SCALING_GOAL, toTheory));
            }
        });
    }

    /** Number of detectors of an engine, which its name tells; 2 where it does not. */
    private static int detectors(String engine) {
        int at = engine.indexOf('_');
        return at < 0 ? 2 : Integer.parseInt(engine.substring(at + 1));
    }
}
