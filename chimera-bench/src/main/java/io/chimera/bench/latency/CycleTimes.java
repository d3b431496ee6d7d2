package io.chimera.bench.latency;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Time from the begin of each cycle, which is the moment its cut closes it to further points, to its last commit, when all
 * its rows are stored. The coordinator keeps it in its status for the last hundred cycles, so nothing is sampled.
 */
final class CycleTimes {
    private Set<Long> known = Set.of();

    /**
     * Takes what is new since the last call.
     *
     * @param status of the coordinator, asked at least every hundred cycles
     * @return milliseconds of each cycle that it both began and saw committed
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

    /** The least of some times that so many percent of them do not exceed (nearest rank). */
    static long percentile(List<Long> times, double percent) {
        List<Long> sorted = new ArrayList<>(times);
        Collections.sort(sorted);
        int rank = (int) Math.ceil(percent / 100 * sorted.size());
        return sorted.get(Math.max(1, rank) - 1);
    }
}
