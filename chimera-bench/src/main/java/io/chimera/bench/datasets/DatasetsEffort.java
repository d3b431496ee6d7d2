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
 * @param columnarRows rows of the Parquet file
 * @param scale lengths and steps of the measurements with many workers
 */
record DatasetsEffort(
        int rounds,
        double transferSeconds,
        int settingRounds,
        double settingSeconds,
        List<NetworkSetting> settings,
        List<ComputeLoad> loads,
        List<NetworkSetting> copyPaths,
        long columnarRows,
        ScaleEffort scale) {
    /**
     * Lengths and steps of the measurements with many workers. Each number of workers is measured once.
     *
     * @param killSeconds length of the transfer of a job whose worker is killed
     * @param rounds rounds of a killed worker, of rates per worker, and of a busy core
     * @param workerSeconds length of the work of each worker
     * @param workers numbers of processors
     * @param threads numbers of threads
     * @param sources numbers of sources of the largest number of workers, without 1
     */
    record ScaleEffort(
            double killSeconds,
            int rounds,
            double workerSeconds,
            List<Integer> workers,
            List<Integer> threads,
            List<Integer> sources) {}

    /** Path of the comparisons with one setting. */
    static final NetworkSetting FAR = new NetworkSetting(84, 100);

    /** Path without a round trip, with the same rate. */
    static final NetworkSetting NEAR = new NetworkSetting(0, 100);

    /** Path of the comparison with a pipeline, faster than both. */
    static final NetworkSetting FAST = new NetworkSetting(0, 1000);

    static final DatasetsEffort FULL = new DatasetsEffort(
            3,
            15,
            2,
            3,
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
            List.of(FAR, new NetworkSetting(84, 1000)),
            30_000_000,
            new ScaleEffort(60, 2, 15, List.of(1, 2, 3, 4), List.of(1, 2, 4, 8, 16, 32, 64), List.of(2, 3, 4, 6)));

    static final DatasetsEffort QUICK = new DatasetsEffort(
            3,
            7,
            2,
            3,
            List.of(FAST, FAR),
            List.of(ComputeLoad.LIGHT, ComputeLoad.EQUAL),
            List.of(FAR),
            12_000_000,
            new ScaleEffort(20, 1, 6, List.of(1, 2, 4), List.of(1, 16, 32), List.of(2, 6)));
}
