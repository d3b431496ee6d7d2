package io.chimera.node.plugin;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Parent of the plugin commands. */
@Command(
        name = "plugin",
        description = "Create, deploy and list plugins.",
        mixinStandardHelpOptions = true,
        subcommands = {
            PluginNewCommand.class,
            PluginApiCommand.class,
            PluginDeployCommand.class,
            PluginListCommand.class
        })
public final class PluginCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command for picocli. */
    public PluginCommand() {}

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing command. See chimera plugin --help.");
    }
}
