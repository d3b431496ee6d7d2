package io.chimera.bench;

import io.chimera.bench.archive.ArchiveBenchCommand;
import io.chimera.bench.capture.CaptureCommand;
import io.chimera.bench.datasets.DatasetsCommand;
import io.chimera.bench.latency.LatencyCommand;
import io.chimera.bench.paper.PaperCommand;
import io.chimera.bench.peers.PeersCommand;
import io.chimera.bench.scale.ScaleCommand;
import io.chimera.bench.stages.StagesCommand;
import io.chimera.bench.table.TableCommand;
import io.chimera.bench.tls.TlsBenchCommand;
import io.chimera.bench.trending.TrendingCommand;
import io.chimera.bench.voip.VoipCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code chimera bench}. */
@Command(
        name = "chimera bench",
        description = "Measure Chimera on this machine.",
        subcommands = {
            StagesCommand.class,
            PeersCommand.class,
            LatencyCommand.class,
            ScaleCommand.class,
            TlsBenchCommand.class,
            TrendingCommand.class,
            VoipCommand.class,
            CaptureCommand.class,
            ArchiveBenchCommand.class,
            PaperCommand.class,
            DatasetsCommand.class,
            TableCommand.class
        })
public final class BenchMain implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // read by picocli
    private boolean help;

    private BenchMain() {}

    /** Runs the command and ends the process with its exit code: 0 success, 1 failure, 2 wrong usage. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    line.getErr().println(line.getCommandSpec().qualifiedName() + ": " + e.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A measurement is missing; see the commands below.");
    }
}
