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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Events per second of four workers in four processes, in two, and in one, with the strategy copy, as the machines of
 * Figure 8 of the paper of 2016. The time is that of the slowest process, without the start of its JVM.
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
        try {
            double seconds = site.effort().settingSeconds();
            // a fast path, and a computation that takes as long as the transfer over a path of 100 Mbit/s
            DataFolder.DataSet set = site.data().events("shapes", DatasetsEffort.FAR.bytes(seconds), WORKERS);
            int passes = ComputePasses.of(ComputeLoad.EQUAL, seconds, set.events(), passSeconds);
            new ShapesPart(site, set, passes).compare();
            site.data().delete(set);
        } catch (IOException e) {
            site.results().fail(RATIO, e);
        }
    }

    private void compare() throws IOException, InterruptedException {
        List<List<Double>> rates = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        List<Integer> counts = List.of(WORKERS, WORKERS / 2, 1);
        for (int round = 0; round < site.effort().settingRounds(); round++) {
            for (int shape = 0; shape < counts.size(); shape++) {
                int processes = counts.get(shape);
                List<Double> each = rates.get(shape);
                site.behind(DatasetsEffort.FAST, url -> each.add(set.events() / seconds(processes, url)));
            }
        }
        for (int shape = 0; shape < counts.size(); shape++) {
            site.results().figure("figure8_" + counts.get(shape) + "_processes_events_per_s", rates.get(shape));
        }
        site.results().ratio(RATIO, rates.get(0), rates.get(2));
    }

    private double seconds(int processes, String url) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(processes);
        try {
            List<Future<Double>> running = new ArrayList<>();
            for (int process = 0; process < processes; process++) {
                int number = process;
                running.add(threads.submit(() -> job(number, processes, url)));
            }
            double slowest = 0;
            for (Future<Double> job : running) {
                slowest = Math.max(slowest, job.get());
            }
            site.log(processes + " processes", slowest);
            return slowest;
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private double job(int number, int processes, String url) throws IOException, InterruptedException {
        int objects = WORKERS / processes;
        List<String> own = set.objects().subList(number * objects, (number + 1) * objects);
        BenchSite bench = site.bench();
        JobCommands commands = new JobCommands(new BenchSite(
                bench.home(),
                Files.createDirectories(bench.folder().resolve("shape-" + number)),
                bench.isQuick(),
                bench.log()));
        JobText text = new JobText(EventKind.EVENTS, own, set.bytes() / WORKERS / SPLITS, WORKERS / processes);
        return commands.run(new Order(text, List.of(url), passes), StrategyWish.COPY)
                .jobSeconds();
    }
}
