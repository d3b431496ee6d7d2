package io.chimera.bench.datasets;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.datasets.process.JobCommands;
import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Events per second of four workers in four processes, in two, and in one, with the strategy copy, as the machines of
 * Figure 8 of the paper of 2016. The time is from the first begin of a job to the last end: the processes start at the
 * same time, and their jobs begin when each JVM is ready.
 */
final class ShapesPart {
    private static final String RATIO = "figure8_4_processes_to_1";

    private static final int WORKERS = 4;
    private static final int SPLITS = 8;

    private final DatasetsSite site;
    private final DataFolder.DataSet set;
    private final int passes;

    private ShapesPart(DatasetsSite site, DataFolder.DataSet set, int passes) {
        this.site = site;
        this.set = set;
        this.passes = passes;
    }

    static void measure(DatasetsSite site, double passSeconds) throws InterruptedException {
        double seconds = site.effort().settingSeconds();
        try (DataFolder.DataSet set = site.data().events("shapes", DatasetsEffort.FAR.bytes(seconds), WORKERS)) {
            // a fast path, and a computation that takes as long as the transfer over a path of 100 Mbit/s
            int passes = ComputePasses.of(ComputeLoad.EQUAL, seconds, set.events(), passSeconds);
            new ShapesPart(site, set, passes).compare();
        } catch (IOException e) {
            site.results().fail(RATIO, e);
        }
    }

    private void compare() throws IOException, InterruptedException {
        site.behind(DatasetsEffort.FAST, url -> {
            AlternatingRounds rounds = new AlternatingRounds();
            for (int processes : List.of(WORKERS, WORKERS / 2, 1)) {
                rounds.add(figure(processes), () -> set.events() / seconds(processes, url));
            }
            Map<String, List<Double>> rates = rounds.run(site.effort().settingRounds());
            rates.forEach(site.results()::figure);
            site.results().ratio(RATIO, rates.get(figure(WORKERS)), rates.get(figure(1)));
        });
    }

    private static String figure(int processes) {
        return "figure8_" + processes + "_processes_events_per_s";
    }

    private double seconds(int processes, String url) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(processes);
        try {
            List<Future<JobSpan>> running = new ArrayList<>();
            for (int process = 0; process < processes; process++) {
                int number = process;
                running.add(threads.submit(() -> job(number, processes, url)));
            }
            List<JobSpan> jobs = new ArrayList<>();
            for (Future<JobSpan> job : running) {
                jobs.add(job.get());
            }
            double seconds = JobSpan.seconds(jobs);
            site.log(processes + " processes", seconds);
            return seconds;
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private JobSpan job(int number, int processes, String url) throws IOException, InterruptedException {
        int objects = WORKERS / processes;
        List<String> own = set.objects().subList(number * objects, (number + 1) * objects);
        BenchSite bench = site.bench();
        JobCommands commands = new JobCommands(new BenchSite(
                bench.home(),
                Files.createDirectories(bench.folder().resolve("shape-" + number)),
                bench.isQuick(),
                bench.log()));
        JobText text = new JobText(EventKind.EVENTS, own, set.bytes() / WORKERS / SPLITS, WORKERS / processes);
        Order order = new Order(text, List.of(url), passes);
        return JobSpan.endingNow(commands.run(order, StrategyWish.COPY).jobSeconds());
    }
}
