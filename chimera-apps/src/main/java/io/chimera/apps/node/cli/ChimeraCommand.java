package io.chimera.apps.node.cli;

import io.chimera.apps.node.PrintConfigCommand;
import io.chimera.apps.node.RunCommand;
import io.chimera.apps.node.ValidateCommand;
import io.chimera.apps.node.Version;
import io.chimera.apps.node.archive.ArchiveCommand;
import io.chimera.apps.node.archive.ForensicsCommand;
import io.chimera.apps.node.demo.DemoCommand;
import io.chimera.apps.node.flows.FlowsCommand;
import io.chimera.apps.node.graph.GraphCommand;
import io.chimera.apps.node.journal.JournalCommand;
import io.chimera.apps.node.load.GenCommand;
import io.chimera.apps.node.load.SendCommand;
import io.chimera.apps.node.plugin.PluginCommand;
import io.chimera.apps.node.replay.ReplayCommand;
import io.chimera.apps.node.tls.TlsCommand;
import io.chimera.apps.node.token.TokenCommand;
import io.chimera.apps.node.watch.ClusterCommand;
import io.chimera.apps.node.watch.TapCommand;
import io.chimera.apps.node.watch.TopCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Root command. */
@Command(
        name = "chimera",
        description = "An elastic, crash-safe ETL cluster for time-series data.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footer = {
            "",
            "Also in a source checkout: bench (measure), sim (simulate clusters under faults),"
                    + " chaos (run real processes under faults)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:failure", "2:wrong usage", "78:bad configuration"},
        subcommands = {
            RunCommand.class,
            DemoCommand.class,
            ValidateCommand.class,
            PrintConfigCommand.class,
            GraphCommand.class,
            GenCommand.class,
            SendCommand.class,
            FlowsCommand.class,
            ArchiveCommand.class,
            ForensicsCommand.class,
            TapCommand.class,
            TopCommand.class,
            ReplayCommand.class,
            ClusterCommand.class,
            JournalCommand.class,
            PluginCommand.class,
            TokenCommand.class,
            TlsCommand.class
        })
final class ChimeraCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing command. See chimera --help.");
    }
}
