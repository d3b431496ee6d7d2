package io.chimera.node.token;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Parent of the token commands. */
@Command(
        name = "token",
        description = "Create tokens and password hashes for the token file (node.tokens).",
        mixinStandardHelpOptions = true,
        subcommands = {TokenNewCommand.class, TokenPasswordCommand.class})
public final class TokenCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command for picocli. */
    public TokenCommand() {}

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing command. See chimera token --help.");
    }
}
