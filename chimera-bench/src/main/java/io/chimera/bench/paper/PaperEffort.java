package io.chimera.bench.paper;

import io.chimera.bench.paper.disk.SaturationEffort;
import io.chimera.bench.stages.StagesEffort;
import java.util.List;

/**
 * Size of the measurements.
 *
 * @param stages duration of a benchmark
 * @param bulks bulk sizes
 * @param channelWarmupMs time before each measurement of the channel, in ms
 * @param channelMs time of each measurement of the channel, in ms
 * @param disk size of the measurement of the saturated disk
 */
record PaperEffort(
        StagesEffort stages, List<Integer> bulks, int channelWarmupMs, int channelMs, SaturationEffort disk) {
    /** About fifteen minutes. */
    static final PaperEffort FULL = new PaperEffort(
            new StagesEffort(1, 5, 1_000, 5, 1_000), PaperCatalog.BULKS, 4_000, 4_000, SaturationEffort.FULL);

    /** Less than two minutes. */
    static final PaperEffort QUICK = new PaperEffort(
            new StagesEffort(1, 2, 300, 2, 200), List.of(1, 10_000), 3_000, 1_000, SaturationEffort.QUICK);
}
