package io.chimera.apps.node;

import io.chimera.common.config.ConfigException;
import io.chimera.common.error.ChimeraException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;

/** The command line. Exit codes: 0 good, 1 failed, 2 wrong usage, 78 bad configuration. */
public final class Main {
    /** What was asked for failed. */
    public static final int FAILED = 1;

    /** EX_CONFIG of sysexits.h. */
    public static final int BAD_CONFIGURATION = 78;

    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // a node tells its life; the tools speak through what they print
        if (!List.of(arguments).contains("run")) {
            System.setProperty("chimera.log.level", "WARN");
        }
        System.exit(commandLine().execute(arguments));
    }

    /** The command line with all commands, for tests too. */
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
            return BAD_CONFIGURATION;
        }
        if (e instanceof ConfigOptions.NoConfigurationException) {
            err.println(e.getMessage());
            return BAD_CONFIGURATION;
        }
        if (e instanceof ChimeraException) {
            err.println(e.getMessage());
            return FAILED;
        }
        err.println("A defect of Chimera, please report it with these lines:");
        e.printStackTrace(err);
        return FAILED;
    }
}
