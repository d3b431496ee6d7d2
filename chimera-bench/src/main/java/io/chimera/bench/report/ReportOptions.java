package io.chimera.bench.report;

import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Common options of all measurements. Reports go to standard output, progress goes to standard error. */
public final class ReportOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--quick",
            description = "Run fewer, shorter and less exact measurements: about a minute (peers: per engine).")
    private boolean quick;

    @Option(names = "--json", description = "Print only the JSON object.")
    private boolean json;

    /** Called by picocli. */
    public ReportOptions() {}

    /** Returns whether to measure for about a minute only. */
    public boolean isQuick() {
        return quick;
    }

    /** Returns whether to print only the report. */
    public boolean isJson() {
        return json;
    }

    /** Returns the command as typed, with the options known here that affect the figures. */
    public String invocation() {
        return "./" + command.qualifiedName() + (quick ? " --quick" : "");
    }

    /** Prints the progress of a measurement. */
    public void log(String line) {
        if (!json) {
            System.err.println(line);
        }
    }

    /** Prints the tables and the report. */
    public void print(Report report, Supplier<String> tables) {
        if (!json) {
            System.err.print("\n" + tables.get());
        }
        command.commandLine().getOut().println(report.json());
        command.commandLine().getOut().flush();
    }
}
