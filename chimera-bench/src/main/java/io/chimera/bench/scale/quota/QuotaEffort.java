package io.chimera.bench.scale.quota;

import java.time.Duration;
import java.util.List;

/**
 * Sizes and durations.
 *
 * @param processors numbers of processors, ascending
 * @param rounds number of rounds; each round runs all clusters
 * @param warmupPoints points per processor without limits, so that the JVMs compile
 * @param settling time under limits before an observation
 * @param window time of an observation
 */
public record QuotaEffort(List<Integer> processors, int rounds, long warmupPoints, Duration settling, Duration window) {
    /** About twenty minutes. */
    public static final QuotaEffort FULL =
            new QuotaEffort(List.of(1, 2, 4, 8, 12), 3, 600_000, Duration.ofSeconds(12), Duration.ofSeconds(20));

    /** About four minutes. */
    public static final QuotaEffort QUICK =
            new QuotaEffort(List.of(1, 2, 4), 1, 300_000, Duration.ofSeconds(8), Duration.ofSeconds(10));
}
