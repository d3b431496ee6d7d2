package io.chimera.node.cli;

import io.chimera.node.Version;
import io.chimera.node.archive.ArchiveCommand;
import io.chimera.node.archive.ForensicsCommand;
import io.chimera.node.config.PrintConfigCommand;
import io.chimera.node.config.ValidateCommand;
import io.chimera.node.dataset.DatasetCommand;
import io.chimera.node.demo.DemoCommand;
import io.chimera.node.flows.FlowsCommand;
import io.chimera.node.graph.GraphCommand;
import io.chimera.node.journal.JournalCommand;
import io.chimera.node.launch.RunCommand;
import io.chimera.node.load.GenCommand;
import io.chimera.node.load.SendCommand;
import io.chimera.node.plugin.PluginCommand;
import io.chimera.node.replay.ReplayCommand;
import io.chimera.node.tls.TlsCommand;
import io.chimera.node.token.TokenCommand;
import io.chimera.node.watch.ClusterCommand;
import io.chimera.node.watch.TapCommand;
import io.chimera.node.watch.TopCommand;
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
                    + " chaos (run real processes under faults), conformance (run published suites)."
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
            DatasetCommand.class,
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
