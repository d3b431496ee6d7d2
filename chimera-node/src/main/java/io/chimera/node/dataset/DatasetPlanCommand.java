package io.chimera.node.dataset;

import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.node.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Samples a job and predicts its strategies. */
@Command(
        name = "plan",
        description = "Sample source, computation and storage of a job for some seconds, and predict time, cost and"
                + " bottleneck of each strategy. The job does not run.",
        mixinStandardHelpOptions = true)
public final class DatasetPlanCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "JOB", description = "File of the job, see docs/datasets.md.")
    private Path file;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            defaultValue = "datasets",
            description = "Folder of the states of jobs; its storage is sampled. Default: ${DEFAULT-VALUE}.")
    private Path states;

    @Option(
            names = "--allow",
            paramLabel = "HOST[:PORT]",
            description = "A further host that the source may redirect to. Repeatable.")
    private List<String> allowed = new ArrayList<>();

    @Option(names = "--json", description = "Print a JSON object.")
    private boolean json;

    /** Creates the command for picocli. */
    public DatasetPlanCommand() {}

    @Override
    public Integer call() {
        JobConfig config = new ConfigLoader(System.getenv()).loadAs(file, JobConfig.class);
        Path folder = file.toAbsolutePath().getParent();
        try (PlannedJob job = new PlannedJob(config, folder, states.toAbsolutePath(), allowed)) {
            PlanText plan = new PlanText(config.name(), job.advise());
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(Json.line(plan.figures()));
            } else {
                plan.lines().forEach(out::println);
            }
            out.flush();
        } catch (IOException | IllegalArgumentException e) {
            throw new ChimeraException(
                    Category.ERROR, "Job " + config.name() + " cannot be planned: " + e.getMessage(), e);
        }
        return 0;
    }
}
