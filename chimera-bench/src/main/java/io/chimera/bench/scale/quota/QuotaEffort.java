package io.chimera.bench.scale.quota;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Sizes and durations.
 *
 * @param sizes numbers of parts by growing part, ascending
 * @param warmupPoints points per part without limits, so that the JVMs compile
 * @param settling time under limits before an observation
 * @param window time of an observation
 */
record QuotaEffort(Map<Growth, List<Integer>> sizes, long warmupPoints, Duration settling, Duration window) {
    /** A round has 21 clusters. */
    static final QuotaEffort FULL = new QuotaEffort(
            Map.of(
                    Growth.PROCESSORS, List.of(1, 2, 4, 8, 12),
                    Growth.GROUPS, List.of(1, 2, 4, 6),
                    Growth.QUEUE_LANES, List.of(1, 2, 4, 8),
                    Growth.PROCESSOR_LANES, List.of(1, 2, 4, 8),
                    Growth.CORES, List.of(1, 2)),
            600_000,
            Duration.ofSeconds(25),
            Duration.ofSeconds(36));

    /** A round has 12 clusters. */
    static final QuotaEffort QUICK = new QuotaEffort(
            Map.of(
                    Growth.PROCESSORS, List.of(1, 4),
                    Growth.GROUPS, List.of(1, 3),
                    Growth.QUEUE_LANES, List.of(1, 4),
                    Growth.PROCESSOR_LANES, List.of(1, 4),
                    Growth.CORES, List.of(1, 2)),
            300_000,
            Duration.ofSeconds(15),
            Duration.ofSeconds(15));

    /**
     * Returns the effort of a run.
     *
     * @param isQuick whether the run must be short
     */
    static QuotaEffort of(boolean isQuick) {
        return isQuick ? QUICK : FULL;
    }
}
