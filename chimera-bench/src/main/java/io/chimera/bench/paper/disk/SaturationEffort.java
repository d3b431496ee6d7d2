package io.chimera.bench.paper.disk;

import java.util.List;

/**
 * Size of the measurement.
 *
 * @param diskBytes size of the disk
 * @param diskBytesPerSecond limit of the writes, which two busy cores reach
 * @param cycles points of a cycle, a cluster each
 * @param warmupSeconds load before the observation
 * @param seconds observation; twice as long for cycles of 3 million points
 */
public record SaturationEffort(
        long diskBytes, long diskBytesPerSecond, List<Long> cycles, int warmupSeconds, int seconds) {
    /** About six minutes. */
    public static final SaturationEffort FULL =
            new SaturationEffort(4L << 30, 40_000_000, List.of(100_000L, 300_000L, 1_000_000L, 3_000_000L), 10, 50);

    /** About half a minute. */
    public static final SaturationEffort QUICK = new SaturationEffort(1L << 30, 20_000_000, List.of(300_000L), 4, 10);
}
