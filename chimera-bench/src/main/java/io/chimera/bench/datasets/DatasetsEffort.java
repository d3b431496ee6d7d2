package io.chimera.bench.datasets;

import java.util.List;

/**
 * Effort of a run.
 *
 * @param rounds rounds of each comparison
 * @param transferSeconds length of a transfer at the full rate of the path
 * @param settingRounds rounds in each setting
 * @param settingSeconds length of a transfer in a setting
 * @param settings paths to the data source
 * @param loads computations in each setting
 * @param copyPaths paths of the comparison of copies
 */
record DatasetsEffort(
        int rounds,
        double transferSeconds,
        int settingRounds,
        double settingSeconds,
        List<NetworkSetting> settings,
        List<ComputeLoad> loads,
        List<NetworkSetting> copyPaths) {
    /** Path of the comparisons with one setting. */
    static final NetworkSetting FAR = new NetworkSetting(84, 100);

    /** Path without a round trip, with the same rate. */
    static final NetworkSetting NEAR = new NetworkSetting(0, 100);

    /** Path of the comparison with a pipeline, faster than both. */
    static final NetworkSetting FAST = new NetworkSetting(0, 1000);

    static final DatasetsEffort FULL = new DatasetsEffort(
            5,
            20,
            3,
            5,
            List.of(
                    new NetworkSetting(0, 10),
                    new NetworkSetting(0, 100),
                    new NetworkSetting(0, 1000),
                    new NetworkSetting(20, 10),
                    new NetworkSetting(20, 100),
                    new NetworkSetting(20, 1000),
                    new NetworkSetting(84, 10),
                    new NetworkSetting(84, 100),
                    new NetworkSetting(84, 1000)),
            List.of(ComputeLoad.values()),
            List.of(FAR, new NetworkSetting(84, 1000)));

    static final DatasetsEffort QUICK = new DatasetsEffort(
            3, 7, 2, 3, List.of(FAST, FAR), List.of(ComputeLoad.LIGHT, ComputeLoad.EQUAL), List.of(FAR));
}
