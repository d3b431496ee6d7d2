package io.chimera.bench.datasets;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.List;

/** Turns the results into a report: medians of the rounds, the spread of each ratio with several rounds, and goals. */
final class DatasetsReport {
    /** Name of the report. */
    static final String NAME = "bench datasets";

    /** Suffix of the spread of a ratio with several rounds. */
    static final String SPREAD = "_spread";

    /** Share of settings in which the prediction is close. */
    static final String MODEL_SHARE = "cost_model_close_share";

    /** Number of settings in which auto is at least as fast as the better of stream and copy. */
    static final String AUTO_WINS = "auto_to_best_wins";

    /** Settings of a full run: nine paths with three computations each. */
    private static final int ALL_SETTINGS = 27;

    private static final double CLOSE = 0.15;

    private final DatasetsResults results;

    DatasetsReport(DatasetsResults results) {
        this.results = results;
    }

    Report report(Machine machine) {
        Findings findings = new Findings();
        results.figures()
                .forEach((name, rounds) -> findings.figure(name, Rounding.to(2, DatasetsResults.median(rounds))));
        results.ratios().forEach((name, rounds) -> {
            findings.ratio(name, Rounding.to(2, DatasetsResults.median(rounds)));
            if (rounds.size() > 1) {
                findings.figure(name + SPREAD, Rounding.to(2, DatasetsResults.spread(rounds)));
            }
        });
        addModel(findings);
        addAuto(findings);
        findings.atLeast("stream_84ms_to_0ms", "0.95");
        findings.atLeast("stream_to_pipeline", "3");
        findings.atLeast("sources_4_to_1", "3.6");
        addPeers(findings);
        addWorkers(findings);
        for (String ratio : findings.ratios().keySet()) {
            if (ratio.startsWith("copy_to_")) {
                findings.atMost(ratio, "1");
            } else if (ratio.startsWith("kill_overhead")) {
                findings.atMost(ratio, "1.25");
            } else if (ratio.startsWith(SettingsPart.AUTO_TO_BEST)) {
                findings.atMost(ratio, "1.1");
            }
        }
        results.leftOut().forEach(findings::leftOut);
        return findings.report(NAME, machine);
    }

    private static void addPeers(Findings findings) {
        findings.atLeast("stream_to_columnar", "0.7");
        findings.atLeast("stream_to_columnar_of_a_local_file", "0.7");
    }

    private static void addWorkers(Findings findings) {
        for (String ratio : findings.ratios().keySet()) {
            if (ratio.matches("(workers|threads)_\\d+_(to_1_sources_2|to_1_far|sources_6_to_2)")) {
                findings.atLeast(ratio, "0.9");
            } else if (ratio.startsWith("workers_to_threads_")) {
                findings.atLeast(ratio, "0.85");
            } else if (ratio.matches("figure[23]_copy_to_stream_\\d+")) {
                findings.atMost(ratio, "1.1");
            }
        }
        findings.atLeast("figure4_copy_busy_to_idle", "0.2"); // scp in the paper
        findings.atMost("figure8_4_processes_to_1", "1.2"); // the small machines of the paper
    }

    private void addModel(Findings findings) {
        List<Double> errors = medians(SettingsPart.MODEL);
        if (!errors.isEmpty()) {
            long close = errors.stream()
                    .filter(ratio -> Math.abs(ratio - 1) <= CLOSE)
                    .count();
            findings.figure(MODEL_SHARE, Rounding.to(2, (double) close / errors.size()));
            findings.atLeast(MODEL_SHARE, "0.88"); // 8 of 9
        }
    }

    private void addAuto(Findings findings) {
        List<Double> ratios = medians(SettingsPart.AUTO_TO_BEST);
        if (!ratios.isEmpty()) {
            findings.figure(
                    AUTO_WINS,
                    BigDecimal.valueOf(
                            ratios.stream().filter(ratio -> ratio <= 1).count()));
        }
        if (ratios.size() == ALL_SETTINGS) {
            findings.atLeast(AUTO_WINS, "3");
        }
    }

    private List<Double> medians(String prefix) {
        return results.ratios().entrySet().stream()
                .filter(ratio -> ratio.getKey().startsWith(prefix))
                .map(ratio -> DatasetsResults.median(ratio.getValue()))
                .toList();
    }
}
