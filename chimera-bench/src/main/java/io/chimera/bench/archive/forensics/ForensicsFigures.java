package io.chimera.bench.archive.forensics;

import io.chimera.bench.archive.peers.PeerResults;
import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Rounding;

/** Turns measurements of investigations into figures, ratios and goals of a report. */
public final class ForensicsFigures {
    static final String STENOGRAPHER = "stenographer_";
    static final String CACHED = "stenographer_cached_";
    static final String WARM = "forensics_ms";
    static final String COLD = "forensics_cold_ms";
    static final String PACKETS = "forensics_packets";
    static final String BYTES = "forensics_capture_bytes";
    static final String STENOGRAPHER_FILES = "stenographer_forensics_files";

    private static final String RATIO = "stenographer_forensics";

    private ForensicsFigures() {}

    /** Returns the figures of the results. */
    public static Findings of(PeerResults results) {
        Findings findings = new Findings();
        results.all().forEach((name, value) -> findings.figure(name, Rounding.to(name.endsWith("_ms") ? 2 : 0, value)));
        findings.atMost(WARM, "1000");
        ratio(results, findings, RATIO, STENOGRAPHER + WARM);
        ratio(results, findings, RATIO + "_cached", CACHED + WARM);
        findings.atLeast(RATIO, "3");
        return findings;
    }

    /** Returns the name of the time of one step. */
    static String step(int step) {
        return "forensics_step_" + step + "_ms";
    }

    /** Adds the time of another tool divided by the archive's time. */
    private static void ratio(PeerResults results, Findings findings, String name, String other) {
        if (results.of(other).isPresent() && results.of(WARM).isPresent()) {
            double times = results.of(other).get() / results.of(WARM).get();
            findings.ratio(name, Rounding.to(2, times));
        }
    }
}
