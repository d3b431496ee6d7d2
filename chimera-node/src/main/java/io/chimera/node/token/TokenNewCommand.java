package io.chimera.node.token;

import io.chimera.common.identity.AccessRole;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a token. */
@Command(
        name = "new",
        description = {
            "Print a new random token of 256 bits, and the lines for the token file.",
            "The token is shown only once: the file contains only its SHA-256."
        },
        mixinStandardHelpOptions = true)
final class TokenNewCommand implements Callable<Integer> {
    private static final int TOKEN_BYTES = 32;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Name of the principal, e.g. telegraf.")
    private String name;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "ingest, view, tap, operate or admin. Repeatable. Default: ingest.")
    private List<AccessRole> roles = new ArrayList<>();

    @Option(
            names = "--input",
            paramLabel = "INPUT",
            description = "Input the principal may write to. Repeatable. Default: all.")
    private List<String> inputs = new ArrayList<>();

    @Override
    public Integer call() throws NoSuchAlgorithmException {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String token = HexFormat.of().formatHex(random);
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        List<AccessRole> given = roles.isEmpty() ? List.of(AccessRole.INGEST) : roles;
        PrintWriter out = spec.commandLine().getOut();
        out.println("# Token, shown once: " + token);
        out.println("tokens:");
        out.println("  " + name + ":");
        out.println("    sha256: " + HexFormat.of().formatHex(hash));
        out.println("    roles: [" + given.stream().map(AccessRole::text).collect(Collectors.joining(", ")) + "]");
        if (!inputs.isEmpty()) {
            out.println("    inputs: [" + String.join(", ", inputs) + "]");
        }
        out.flush();
        return 0;
    }
}
