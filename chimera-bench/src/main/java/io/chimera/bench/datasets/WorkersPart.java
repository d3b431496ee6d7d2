package io.chimera.bench.datasets;

import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterLayout;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.datasets.event.EventParserType;
import io.chimera.bench.datasets.process.ClusterJobs;
import io.chimera.bench.datasets.process.JobCommands;
import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/**
 * {@link WorkerScale} with processors of a cluster, each in a process with one thread, and with threads of one process
 * as far as there are processors; and with many threads of one process. The times of jobs on a cluster are those of the
 * command that watches the job.
 */
final class WorkersPart {
    private static final String PROCESSES = "workers";
    private static final String THREADS = "threads";
    private static final List<String> PACE = List.of("-D" + EventParserType.PACE + "=" + WorkerScale.paceBytes());

    private final DatasetsSite site;

    private WorkersPart(DatasetsSite site) {
        this.site = site;
    }

    /** Measures processors, and the same numbers of threads. */
    static void measureProcesses(DatasetsSite site) throws InterruptedException {
        Path folder = site.bench().folder().resolve("workers-cluster");
        ClusterPlan plan =
                ClusterPlan.forgetting(ClusterLayout.of(1, 1).shared()).setting(ClusterJobs.settings());
        try (BenchCluster cluster =
                new BenchCluster(site.bench().home(), folder, plan, new FreePorts(BenchCluster.PORTS))) {
            cluster.start(node -> PACE);
            new WorkersPart(site).processes(cluster);
        } catch (IOException e) {
            site.results().fail(PROCESSES, e);
        }
    }

    private void processes(BenchCluster cluster) throws IOException, InterruptedException {
        List<Integer> counts = site.effort().scale().workers();
        int most = counts.get(counts.size() - 1);
        ClusterJobs jobs = new ClusterJobs(site.bench(), cluster);
        WorkerScale processes = new WorkerScale(
                site, PROCESSES, most, (text, urls) -> jobs.run(text, urls).jobSeconds());
        WorkerScale threads = new WorkerScale(site, THREADS + "_beside_" + PROCESSES, most, threads());
        try {
            for (int count : counts) {
                while (cluster.processors().size() < count) {
                    cluster.awaitReady(cluster.addProcessor());
                }
                processes.near(count, 1);
                threads.near(count, 1);
                if (count == 1 || count == most) {
                    processes.far(count); // every processor of the cluster takes part in a job
                }
            }
            processes.sources();
        } finally {
            processes.addRatios();
            counts.forEach(count -> addRatio(count, processes, threads));
        }
    }

    private void addRatio(int count, WorkerScale processes, WorkerScale threads) {
        OptionalDouble over = processes.rateOf(count);
        OptionalDouble under = threads.rateOf(count);
        if (over.isPresent() && under.isPresent()) {
            site.results()
                    .ratio(
                            PROCESSES + "_to_" + THREADS + "_" + count,
                            List.of(over.getAsDouble()),
                            List.of(under.getAsDouble()));
        }
    }

    /** Measures many threads. */
    static void measureThreads(DatasetsSite site) throws InterruptedException {
        try {
            new WorkersPart(site).manyThreads();
        } catch (IOException e) {
            site.results().fail(THREADS, e);
        }
    }

    private void manyThreads() throws IOException, InterruptedException {
        List<Integer> counts = site.effort().scale().threads();
        int most = counts.get(counts.size() - 1);
        WorkerScale threads = new WorkerScale(site, THREADS, most, threads());
        try {
            for (int count : counts) {
                threads.near(count, 1);
            }
            threads.far(1);
            threads.far(most);
            threads.sources();
        } finally {
            threads.addRatios();
        }
    }

    private WorkerScale.WorkerRun threads() {
        JobCommands commands = site.commands().with(PACE);
        return (text, urls) ->
                commands.run(new Order(text, urls, 0), StrategyWish.STREAM).jobSeconds();
    }
}
