package io.chimera.node.watch;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Parent of the cluster commands. */
@Command(
        name = "cluster",
        description = "Show the cluster, reload its pipelines, drain, remove or recover nodes.",
        mixinStandardHelpOptions = true,
        subcommands = {
            ClusterStatusCommand.class,
            ClusterAccountCommand.class,
            ClusterReloadCommand.class,
            ClusterDrainCommand.class,
            ClusterRemoveCommand.class,
            ClusterSecureCommand.class,
            ClusterRecoverCommand.class
        })
public final class ClusterCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command for picocli. */
    public ClusterCommand() {}

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing command. See chimera cluster --help.");
    }
}
