package io.chimera.bench.archive.forensics;

import io.chimera.bench.archive.peers.PeerResults;
import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

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
    private static final BigDecimal FOUND_WITHIN_MS = BigDecimal.valueOf(1_000);
    private static final BigDecimal TIMES_FASTER = BigDecimal.valueOf(3);

    private final Map<String, BigDecimal> figures = new LinkedHashMap<>();
    private final Map<String, BigDecimal> ratios = new LinkedHashMap<>();
    private final Map<String, Goal> goals = new LinkedHashMap<>();

    /** Figures of what was measured. */
    public ForensicsFigures(PeerResults results) {
        results.all().forEach((name, value) -> figures.put(name, Rounding.to(name.endsWith("_ms") ? 2 : 0, value)));
        if (figures.containsKey(WARM)) {
            goals.put(WARM, Goal.atMost(FOUND_WITHIN_MS, figures.get(WARM)));
        }
        ratio(results, RATIO, STENOGRAPHER + WARM, WARM);
        ratio(results, RATIO + "_cached", CACHED + WARM, WARM);
        if (ratios.containsKey(RATIO)) {
            goals.put(RATIO, Goal.atLeast(TIMES_FASTER, ratios.get(RATIO)));
        }
    }

    /** The name of the time of one question. */
    static String step(int step) {
        return "forensics_step_" + step + "_ms";
    }

    private void ratio(PeerResults results, String name, String of, String in) {
        if (results.of(of).isPresent() && results.of(in).isPresent()) {
            ratios.put(
                    name, Rounding.to(2, results.of(of).get() / results.of(in).get()));
        }
    }

    /** By their names. */
    public Map<String, BigDecimal> figures() {
        return figures;
    }

    /** By their names. */
    public Map<String, BigDecimal> ratios() {
        return ratios;
    }

    /** By the names of ratios and figures. */
    public Map<String, Goal> goals() {
        return goals;
    }
}
