package io.chimera.node.dataset;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands of data sets. */
@Command(
        name = "dataset",
        description = "Run pipelines over a data set that ends: files, objects of HTTP, S3 and XRootD servers.",
        mixinStandardHelpOptions = true,
        subcommands = {
            DatasetRunCommand.class,
            DatasetPlanCommand.class,
            DatasetLsCommand.class,
            DatasetStatusCommand.class,
            DatasetStopCommand.class,
            DatasetRemoveCommand.class
        })
public final class DatasetCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command for picocli. */
    public DatasetCommand() {}

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing command. See chimera dataset --help.");
    }
}
