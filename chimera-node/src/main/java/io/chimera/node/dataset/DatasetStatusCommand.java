package io.chimera.node.dataset;

import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.job.SkippedSplit;
import io.chimera.node.Json;
import io.chimera.node.dataset.client.JobState;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the progress of a job and the nodes that take part. */
@Command(
        name = "status",
        description = "Show the progress of a job over a data set, and the nodes that take part in jobs.",
        mixinStandardHelpOptions = true)
final class DatasetStatusCommand implements Callable<Integer> {
    /** Maximum number of skipped splits that are shown. */
    private static final int SKIPPED_MAX = 20;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the job.")
    private String name;

    @Mixin
    private JobsOption jobs = new JobsOption();

    @Override
    public Integer call() throws InterruptedException {
        return jobs.with(client -> {
            JobId id = client.find(name).id();
            JobState state = client.state(id);
            List<SkippedSplit> skipped = state.totals().splitsSkipped() == 0 ? List.of() : client.skipped(id);
            print(state, skipped.subList(0, Math.min(SKIPPED_MAX, skipped.size())), client.workers());
            return 0;
        });
    }

    private void print(JobState state, List<SkippedSplit> skipped, List<WorkerSession> workers) {
        PrintWriter out = spec.commandLine().getOut();
        if (jobs.isJson()) {
            Map<String, Object> figures = state.figures();
            List<Map<String, Object>> nodes = new ArrayList<>();
            for (WorkerSession worker : workers) {
                Map<String, Object> node = new LinkedHashMap<>();
                node.put("node", worker.node());
                node.put("http", worker.address());
                node.put("threads", worker.threads());
                node.put("leaving", worker.isLeaving());
                nodes.add(node);
            }
            figures.put("skipped", skipped.stream().map(SkippedText::figures).toList());
            figures.put("nodes", nodes);
            out.println(Json.line(figures));
        } else {
            JobFigures.print(state, out);
            skipped.forEach(split -> out.println(SkippedText.line(split)));
            out.printf("%n%-24s %-24s %8s%n", "NODE", "HTTP", "THREADS");
            workers.forEach(worker -> out.printf(
                    "%-24s %-24s %8d%s%n",
                    worker.node(), worker.address(), worker.threads(), worker.isLeaving() ? " leaving" : ""));
        }
        out.flush();
    }
}
