package io.chimera.node;

import io.chimera.node.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * Result of a command run in this process.
 *
 * @param exitCode exit code
 * @param out standard output
 * @param err standard error
 */
public record Invocation(int exitCode, String out, String err) {
    /** Runs a command. */
    public static Invocation of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return new Invocation(command.execute(arguments), out.toString(), err.toString());
    }
}
