package io.chimera.node.dataset;

import io.chimera.dataset.cluster.WorkerSession;
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
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the job.")
    private String name;

    @Mixin
    private JobsOption jobs = new JobsOption();

    @Override
    public Integer call() throws InterruptedException {
        return jobs.with(client -> {
            print(client.state(client.find(name).id()), client.workers());
            return 0;
        });
    }

    private void print(JobState state, List<WorkerSession> workers) {
        PrintWriter out = spec.commandLine().getOut();
        if (jobs.isJson()) {
            Map<String, Object> figures = state.figures();
            List<Map<String, Object>> nodes = new ArrayList<>();
            for (WorkerSession worker : workers) {
                Map<String, Object> node = new LinkedHashMap<>();
                node.put("node", worker.node());
                node.put("http", worker.address());
                node.put("threads", worker.threads());
                nodes.add(node);
            }
            figures.put("nodes", nodes);
            out.println(Json.line(figures));
        } else {
            JobFigures.print(state, out);
            out.printf("%n%-24s %-24s %8s%n", "NODE", "HTTP", "THREADS");
            workers.forEach(
                    worker -> out.printf("%-24s %-24s %8d%n", worker.node(), worker.address(), worker.threads()));
        }
        out.flush();
    }
}
