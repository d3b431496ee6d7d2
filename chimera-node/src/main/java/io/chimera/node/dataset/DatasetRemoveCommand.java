package io.chimera.node.dataset;

import io.chimera.node.Json;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a job and its results. */
@Command(
        name = "remove",
        description = "Remove a job over a data set that is not running, with its results. Rows in stores stay.",
        mixinStandardHelpOptions = true)
final class DatasetRemoveCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the job.")
    private String name;

    @Mixin
    private JobsOption jobs = new JobsOption();

    @Override
    public Integer call() throws InterruptedException {
        return jobs.with(client -> {
            client.remove(name);
            PrintWriter out = spec.commandLine().getOut();
            out.println(jobs.isJson() ? Json.line(Map.of("removed", name)) : "Removed job " + name + ".");
            out.flush();
            return 0;
        });
    }
}
