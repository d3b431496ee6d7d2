package io.chimera.node.cli;

import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.error.ChimeraException;
import io.chimera.node.ExitCode;
import io.chimera.node.option.ConfigOptions;
import java.io.PrintWriter;
import picocli.CommandLine;

/** Entry point of the command line. Exit codes: 0 success, 1 failure, 2 wrong usage, 78 bad configuration. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // nodes log their events; commands print their results instead
        if (arguments.length == 0 || !arguments[0].equals("run")) {
            System.setProperty("chimera.log.level", "WARN");
        }
        System.exit(commandLine().execute(arguments));
    }

    /** Returns the command line with all commands. Public for tests. */
    public static CommandLine commandLine() {
        return new CommandLine(new ChimeraCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(Main::report);
    }

    private static int report(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (e instanceof ConfigException bad) {
            bad.problems().forEach(err::println);
            int count = bad.problems().size();
            err.println(count == 1 ? "1 problem in the configuration." : count + " problems in the configuration.");
            return ExitCode.BAD_CONFIGURATION;
        }
        if (e instanceof ConfigOptions.NoConfigurationException) {
            err.println(e.getMessage());
            return ExitCode.BAD_CONFIGURATION;
        }
        if (e instanceof ChimeraException) {
            err.println(e.getMessage());
            return ExitCode.FAILED;
        }
        err.println("Internal error of Chimera. Please report it with these lines:");
        e.printStackTrace(err);
        return ExitCode.FAILED;
    }
}
