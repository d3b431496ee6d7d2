package io.chimera.bench.report;

import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that all measurements share, and where what they find goes: figures to standard output, talk to error. */
public final class ReportOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--quick",
            description = "Fewer and shorter measurements: about a minute (peers: for each engine), and less exact.")
    private boolean quick;

    @Option(names = "--json", description = "Prints nothing but the JSON object.")
    private boolean json;

    /** Made by picocli. */
    public ReportOptions() {}

    /** Whether it is to take about a minute. */
    public boolean isQuick() {
        return quick;
    }

    /** Whether nothing is to be printed but the report. */
    public boolean isJson() {
        return json;
    }

    /** The command as a user types it, with the options that are known here and stand for other figures. */
    public String invocation() {
        return "./" + command.qualifiedName() + (quick ? " --quick" : "");
    }

    /** Says how far a measurement is. */
    public void log(String line) {
        if (!json) {
            System.err.println(line);
        }
    }

    /** Prints a report, behind its tables for a reader. */
    public void print(Report report, Supplier<String> tables) {
        if (!json) {
            System.err.print("\n" + tables.get());
        }
        command.commandLine().getOut().println(report.json());
        command.commandLine().getOut().flush();
    }
}
