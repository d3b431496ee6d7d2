package io.chimera.node.dataset;

import io.chimera.dataset.cluster.JobOrder;
import io.chimera.node.Json;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Stops a job; its results stay. */
@Command(
        name = "stop",
        description = "Stop a job over a data set. Its results stay; dataset run continues the job.",
        mixinStandardHelpOptions = true)
final class DatasetStopCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the job.")
    private String name;

    @Mixin
    private JobsOption jobs = new JobsOption();

    @Override
    public Integer call() throws InterruptedException {
        return jobs.with(client -> {
            JobOrder order = client.find(name);
            boolean isStopped = client.stop(order);
            PrintWriter out = spec.commandLine().getOut();
            if (jobs.isJson()) {
                out.println(Json.line(Map.of("job", name, "stopped", isStopped)));
            } else {
                out.println(isStopped ? "Stopped job " + name + "." : "Job " + name + " is not running.");
            }
            out.flush();
            return 0;
        });
    }
}
