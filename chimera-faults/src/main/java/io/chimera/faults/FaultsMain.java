package io.chimera.faults;

import io.chimera.faults.chaos.ChaosCommand;
import io.chimera.faults.conformance.ConformanceCommand;
import io.chimera.faults.sim.SimCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The commands {@code chimera sim}, {@code chimera chaos} and {@code chimera conformance}. */
@Command(
        name = "chimera",
        description = "Run a cluster under faults and report lost or doubled points.",
        subcommands = {SimCommand.class, ChaosCommand.class, ConformanceCommand.class})
public final class FaultsMain implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli reads the field
    private boolean help;

    private FaultsMain() {}

    /** Runs the command and ends the process with its exit code: 0 good, 1 failed, 2 wrong usage. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new FaultsMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    line.getErr().println(line.getCommandSpec().qualifiedName() + ": " + e.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command: choose sim, chaos or conformance.");
    }
}
