package io.chimera.bench.paper.disk;

import java.util.List;

/**
 * Size of the measurement.
 *
 * @param diskBytes size of the disk
 * @param cycles points of a cycle, a cluster each
 * @param warmupSeconds load before the observation
 * @param seconds observation
 */
public record SaturationEffort(long diskBytes, List<Long> cycles, int warmupSeconds, int seconds) {
    /** About six minutes. */
    public static final SaturationEffort FULL =
            new SaturationEffort(4L << 30, List.of(100_000L, 300_000L, 1_000_000L, 3_000_000L), 8, 60);

    /** About half a minute. */
    public static final SaturationEffort QUICK = new SaturationEffort(1L << 30, List.of(300_000L), 4, 8);
}
