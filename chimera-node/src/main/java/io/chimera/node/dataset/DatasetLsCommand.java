package io.chimera.node.dataset;

import io.chimera.node.Json;
import io.chimera.node.dataset.client.JobState;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the jobs over data sets of a cluster. */
@Command(name = "ls", description = "List the jobs over data sets of a cluster.", mixinStandardHelpOptions = true)
final class DatasetLsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JobsOption jobs = new JobsOption();

    @Override
    public Integer call() throws InterruptedException {
        return jobs.with(client -> {
            print(client.all(), spec.commandLine().getOut());
            return 0;
        });
    }

    private void print(List<JobState> states, PrintWriter out) {
        if (jobs.isJson()) {
            out.println(Json.line(
                    Map.of("jobs", states.stream().map(JobState::figures).toList())));
        } else {
            out.printf("%-24s %-10s %14s %14s %12s%n", "JOB", "STATE", "SPLITS", "RANGES", "ROWS");
            for (JobState state : states) {
                out.printf(
                        "%-24s %-10s %14s %14s %12d%n",
                        state.order().id().name(),
                        state.phase().name().toLowerCase(Locale.ROOT),
                        state.totals().splitsDone() + "/" + state.totals().splits(),
                        state.totals().rangesDone() + "/" + state.totals().ranges(),
                        state.totals().rows());
            }
        }
        out.flush();
    }
}
