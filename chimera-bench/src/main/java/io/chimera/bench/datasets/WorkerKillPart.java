package io.chimera.bench.datasets;

import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterLayout;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.datasets.event.EventParserType;
import io.chimera.bench.datasets.process.ClusterJobs;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Time of a job on a cluster of two queue nodes and three processors, of which one is killed at half of the time and
 * stays away, divided by the time without the kill. The rows must be equal.
 */
final class WorkerKillPart {
    private static final String RATIO = "kill_overhead_cluster";
    private static final int OBJECTS = 4;
    private static final int SPLITS = 60;
    private static final String KILLED = "p3";

    private WorkerKillPart() {}

    static void measure(DatasetsSite site, double passSeconds) throws InterruptedException {
        double seconds = site.effort().scale().killSeconds();
        Path folder = site.bench().folder().resolve("kill-cluster");
        ClusterPlan plan =
                ClusterPlan.forgetting(ClusterLayout.of(2, 3).shared()).setting(ClusterJobs.settings());
        try (BenchCluster cluster =
                        new BenchCluster(site.bench().home(), folder, plan, new FreePorts(BenchCluster.PORTS));
                DataFolder.DataSet set =
                        site.data().events("worker-kill", DatasetsEffort.FAR.bytes(seconds), OBJECTS)) {
            int passes = ComputePasses.of(ComputeLoad.LIGHT, seconds, set.events(), passSeconds);
            cluster.start(node -> List.of("-D" + EventParserType.PASSES + "=" + passes));
            ClusterJobs jobs = new ClusterJobs(site.bench(), cluster);
            JobText job = new JobText(EventKind.EVENTS, set.objects(), set.bytes() / SPLITS);
            site.behind(DatasetsEffort.FAR, url -> compare(site, jobs, job, List.of(url)));
        } catch (IOException e) {
            site.results().fail(RATIO, e);
        }
    }

    private static void compare(DatasetsSite site, ClusterJobs jobs, JobText job, List<String> urls)
            throws IOException, InterruptedException {
        List<Double> whole = new ArrayList<>();
        List<Double> killed = new ArrayList<>();
        for (int round = 0; round < site.effort().scale().rounds(); round++) {
            whole.add(jobs.run(job, urls).processSeconds());
            site.log("cluster, not killed", whole.get(round));
            String rows = jobs.rows();
            killed.add(jobs.killed(job, urls, KILLED, whole.get(round) / 2).processSeconds());
            site.log("cluster, a worker killed", killed.get(round));
            if (!jobs.rows().equals(rows)) {
                throw new IllegalStateException("a job whose worker was killed has other rows than without the kill");
            }
        }
        site.results().figure("cluster_not_killed_s", whole);
        site.results().figure("cluster_killed_s", killed);
        site.results().ratio(RATIO, killed, whole);
    }
}
