package io.chimera.bench.datasets;

import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterLayout;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.datasets.process.DeadlineProcess;
import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.bench.report.ProgramRun;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Time of a plain pipeline, divided by the time of a job with the strategy stream: curl fetches line protocol, a pipe
 * leads to {@code chimera send}, and a running cluster aggregates the points and drops the rows. The time of the
 * pipeline ends when all points are aggregated and does not have the start of the cluster.
 */
final class PipelinePart {
    private static final String RATIO = "stream_to_pipeline";
    private static final String PIPE = "set -o pipefail; url=$0; curl=$1; shift; \"$curl\" -sSf \"$url\" | \"$@\"";

    /** The pipeline is slow: this part of the bytes of a setting is enough. */
    private static final int OF_SETTING = 3;

    /** Splits of the only object. */
    private static final int SPLITS = 16;

    private final DatasetsSite site;
    private final BenchCluster cluster;
    private final DataFolder.DataSet set;
    private long sent;

    private PipelinePart(DatasetsSite site, BenchCluster cluster, DataFolder.DataSet set) {
        this.site = site;
        this.cluster = cluster;
        this.set = set;
    }

    static void measure(DatasetsSite site) throws InterruptedException {
        Path folder = site.bench().folder().resolve("cluster");
        ClusterPlan plan = ClusterPlan.forgetting(ClusterLayout.of(1, 1).shared())
                .aggregating("aggregate: { by: [region]," + " functions: [count, mean, max] }");
        try (BenchCluster cluster =
                        new BenchCluster(site.bench().home(), folder, plan, new FreePorts(BenchCluster.PORTS));
                DataFolder.DataSet set = site.data()
                        .points("pipe", DatasetsEffort.FAST.bytes(site.effort().settingSeconds() / OF_SETTING), 1)) {
            cluster.start();
            PipelinePart part = new PipelinePart(site, cluster, set);
            site.behind(DatasetsEffort.FAST, part::rounds);
        } catch (IOException e) {
            site.results().fail(RATIO, e);
        }
    }

    private void rounds(String url) throws IOException, InterruptedException {
        Order order = new Order(new JobText(EventKind.POINTS, set.objects(), set.bytes() / SPLITS), url, 0);
        AlternatingRounds rounds = new AlternatingRounds();
        rounds.add("pipeline", () -> piped(url + "/" + set.objects().get(0)));
        rounds.add("stream", () -> site.run("beside a pipeline", order, StrategyWish.STREAM)
                .processSeconds());
        Map<String, List<Double>> seconds = rounds.run(site.effort().settingRounds());
        site.results().figure("pipeline_s", seconds.get("pipeline"));
        site.results().figure("stream_beside_pipeline_s", seconds.get("stream"));
        site.results().ratio(RATIO, seconds.get("pipeline"), seconds.get("stream"));
    }

    private double piped(String url) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(ProgramRun.require("bash"), "-c", PIPE, url, ProgramRun.require("curl")));
        command.addAll(site.bench()
                .home()
                .nodeCommand(
                        List.of(),
                        List.of("send", "--to", "http://" + cluster.inputs().get(0) + "/write")));
        Path log = site.bench().folder().resolve("send.log");
        long startNs = System.nanoTime();
        try (DeadlineProcess process =
                DeadlineProcess.start(command, site.bench().folder(), log)) {
            process.succeed(DeadlineProcess.LIMIT);
        }
        sent += set.events();
        cluster.awaitAggregated(sent);
        double seconds = (System.nanoTime() - startNs) / 1e9;
        site.log("curl, send, cluster", seconds);
        return seconds;
    }
}
