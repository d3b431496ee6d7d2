package io.chimera.bench.latency;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Times from the start of each cycle, when its cut excludes further points, to its last commit, when all its rows are
 * stored. The coordinator's status has the last hundred cycles, so no cycle is missed.
 */
final class CycleTimes {
    private Set<Long> known = Set.of();

    /**
     * Returns the times of new cycles since the last call.
     *
     * @param status status of the coordinator, read at least every hundred cycles
     * @return milliseconds of each cycle whose begin and commit this coordinator saw
     */
    List<Long> take(JsonNode status) {
        List<Long> times = new ArrayList<>();
        Set<Long> shown = new HashSet<>();
        for (JsonNode cycle : status.path("committed")) {
            long number = cycle.path("cycle").asLong();
            long latencyMs = cycle.path("commit_latency_ms").asLong(-1);
            shown.add(number);
            if (latencyMs >= 0 && !known.contains(number)) {
                times.add(latencyMs);
            }
        }
        known = shown;
        return times;
    }

    /** Returns a percentile of times (nearest rank). */
    static long percentile(List<Long> times, double percent) {
        List<Long> sorted = new ArrayList<>(times);
        Collections.sort(sorted);
        int rank = (int) Math.ceil(percent / 100 * sorted.size());
        return sorted.get(Math.max(1, rank) - 1);
    }
}
