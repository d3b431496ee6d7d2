package io.chimera.bench.datasets;

import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Rate per worker by the number of workers and sources, as in Figures 6 and 7 of the paper of 2016. Each worker stands
 * for a machine of its own that computes {@link #PACE_MEGABITS}. The link of a near source has {@link #NEAR_SHARE} of
 * the rate at which the largest number of workers computes, somewhat more than the half in the paper. Each number is
 * measured once.
 */
final class WorkerScale {
    /** Rate at which a worker computes: low enough for 64 workers on few cores. */
    static final int PACE_MEGABITS = 4;

    /**
     * Rate of the link of a near source, divided by the rate at which half of the workers compute: a split reads 64 KiB
     * beyond its end, a sixth of a split in a quick run.
     */
    private static final double SPARE = 1.25;

    /**
     * Rate of the link of a near source, divided by the rate at which the largest number of workers computes. Expected
     * ratio of the rate per worker with one near source to that of a single worker.
     */
    static final double NEAR_SHARE = SPARE / 2;

    /** Path to a far source, too fast to be the limit. */
    private static final NetworkSetting FAR = new NetworkSetting(84, 1000);

    private static final int BITS_PER_BYTE = 8;
    private static final int SPLITS_PER_WORKER = 8;
    private static final double MEGA = 1e6;

    private final DatasetsSite site;
    private final String kind;
    private final int workersMax;
    private final WorkerRun run;
    private final Map<String, Double> rates = new LinkedHashMap<>();

    /** Runs a job. */
    @FunctionalInterface
    interface WorkerRun {
        /**
         * Returns the seconds of the job.
         *
         * @param text the job
         * @param urls addresses of the sources
         */
        double seconds(JobText text, List<String> urls) throws IOException, InterruptedException;
    }

    /**
     * Creates a measurement.
     *
     * @param kind kind of the workers, begin of the names of figures
     * @param workersMax largest number of workers
     */
    WorkerScale(DatasetsSite site, String kind, int workersMax, WorkerRun run) {
        this.site = site;
        this.kind = kind;
        this.workersMax = workersMax;
        this.run = run;
    }

    /** Returns the pace of a worker in bytes per second. */
    static long paceBytes() {
        return PACE_MEGABITS * 1_000_000L / BITS_PER_BYTE;
    }

    /** Measures near sources. */
    void near(int workers, int sources) throws IOException, InterruptedException {
        rate(workers, sources, new NetworkSetting(0, (int) (PACE_MEGABITS * workersMax * NEAR_SHARE)), "");
    }

    /** Measures a far source. */
    void far(int workers) throws IOException, InterruptedException {
        rate(workers, 1, FAR, "_far");
    }

    /** Measures the largest number of workers with several near sources, as in Figure 7. */
    void sources() throws IOException, InterruptedException {
        for (int sources : site.effort().scale().sources()) {
            near(workersMax, sources);
        }
    }

    private void rate(int workers, int sources, NetworkSetting path, String suffix)
            throws IOException, InterruptedException {
        long bytes = (long) (workers * paceBytes() * site.effort().scale().workerSeconds());
        try (DataFolder.DataSet set = site.data().events("scale", bytes, 1);
                PacedSources paced = new PacedSources(site, path, sources)) {
            long splitBytes = set.bytes() / ((long) workers * SPLITS_PER_WORKER) + 1;
            JobText text = new JobText(EventKind.EVENTS, set.objects(), splitBytes, workers);
            double seconds = run.seconds(text, paced.urls());
            String name = name(workers, sources) + suffix;
            site.log(name, seconds);
            rates.put(name, set.bytes() / MEGA / seconds / workers);
            site.results().figure(name + "_mb_per_s", List.of(rates.get(name)));
        }
    }

    private String name(int workers, int sources) {
        return kind + "_" + workers + "_sources_" + sources;
    }

    /** Adds the ratios of the figures measured so far. */
    void addRatios() {
        String most = kind + "_" + workersMax;
        for (int sources : List.of(1, 2)) {
            ratio(most + "_to_1_sources_" + sources, name(workersMax, sources), name(1, 1));
        }
        ratio(most + "_sources_6_to_2", name(workersMax, 6), name(workersMax, 2));
        ratio(most + "_to_1_far", name(workersMax, 1) + "_far", name(1, 1) + "_far");
    }

    private void ratio(String name, String over, String under) {
        if (rates.containsKey(over) && rates.containsKey(under)) {
            site.results().ratio(name, List.of(rates.get(over)), List.of(rates.get(under)));
        }
    }

    /** Returns the rate per worker with one near source in MB/s; empty if not measured. */
    OptionalDouble rateOf(int workers) {
        Double rate = rates.get(name(workers, 1));
        return rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate);
    }
}
