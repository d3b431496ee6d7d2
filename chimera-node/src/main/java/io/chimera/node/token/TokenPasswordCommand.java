package io.chimera.node.token;

import io.chimera.common.identity.PasswordHash;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Hashes a password. */
@Command(
        name = "password",
        description = "Read a password from standard input and print its hash for the token file.",
        mixinStandardHelpOptions = true)
final class TokenPasswordCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        String password = readLine();
        if (password == null || password.isEmpty()) {
            throw new CommandLine.ParameterException(spec.commandLine(), "There is no password on standard input.");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("password: " + PasswordHash.write(password, new SecureRandom()));
        out.flush();
        return 0;
    }

    private static String readLine() throws IOException {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    }
}
