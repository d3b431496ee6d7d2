package io.chimera.bench.datasets.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.BenchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Jobs on a running cluster as the processes that {@code ./chimera dataset} starts. A job is removed after its end, so
 * that the next one finds no results. One thread.
 */
public final class ClusterJobs {
    private final BenchSite site;
    private final BenchCluster cluster;
    private final Path folder;

    /** Work beside a running job. */
    @FunctionalInterface
    private interface Meanwhile {
        void run(DeadlineProcess job) throws IOException, InterruptedException;
    }

    /**
     * Creates the commands of an empty folder.
     *
     * @param cluster the cluster, with {@link #settings}
     */
    public ClusterJobs(BenchSite site, BenchCluster cluster) {
        this.site = site;
        this.cluster = cluster;
        folder = site.folder().resolve("cluster-job");
    }

    /** Returns settings with which each processor takes part in jobs with one thread. */
    public static Map<String, String> settings() {
        // the shortest session that pauses of a busy machine do not end
        return Map.of(
                "coordinator.session_timeout", "6s",
                "datasets.workers", "1",
                "datasets.allow", "[127.0.0.1]");
    }

    /**
     * Runs a job with the strategy stream to its end.
     *
     * @param urls address of the source, and of its replicas
     * @return times of the command that watches the job
     * @throws IOException when the job fails
     */
    public JobTime run(JobText text, List<String> urls) throws IOException, InterruptedException {
        return run(text, urls, job -> {});
    }

    /**
     * Runs a job to its end, and kills a processor with kill -9 meanwhile. Afterwards the processor is started again.
     *
     * @param afterSeconds time of the kill, from the start of the command
     * @throws IOException when the job ends before the kill, or fails
     */
    public JobTime killed(JobText text, List<String> urls, String processor, double afterSeconds)
            throws IOException, InterruptedException {
        JobTime time = run(text, urls, job -> {
            job.runUntil(afterSeconds);
            cluster.kill(processor);
        });
        cluster.restart(processor);
        return time;
    }

    private JobTime run(JobText text, List<String> urls, Meanwhile meanwhile) throws IOException, InterruptedException {
        BenchFolder.emptied(folder);
        Path file = Files.writeString(folder.resolve("job.yaml"), text.yaml(urls, ""));
        JobTime time;
        try (DeadlineProcess job = start("run", file.toString(), "--folder", states().toString())) {
            meanwhile.run(job);
            time = new JobTime(job.succeed(DeadlineProcess.LIMIT), JobCommands.reportedSeconds(states()));
        }
        try (DeadlineProcess removal = start("remove", JobText.NAME)) {
            removal.succeed(DeadlineProcess.LIMIT);
        }
        return time;
    }

    private DeadlineProcess start(String... words) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("dataset"));
        arguments.addAll(List.of(words));
        arguments.addAll(List.of("--json", "--config", cluster.configuration().toString()));
        List<String> command = site.home()
                .nodeCommand(List.of(), List.of(site.home().built("chimera-bench/target/classes")), arguments);
        return DeadlineProcess.start(command, folder, folder.resolve(words[0] + ".log"));
    }

    private Path states() {
        return folder.resolve("states");
    }

    /** Returns the rows of the last run. */
    public String rows() throws IOException {
        return Files.readString(states().resolve(JobText.NAME).resolve("rows.lp"), UTF_8);
    }
}
