package io.chimera.faults.chaos.access;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.security.Tls;
import io.chimera.node.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Certificates, tokens and the secret of a run's cluster, created with the commands of an operator: {@code chimera tls}
 * and {@code chimera token}. Created by one thread; the other methods any thread.
 */
public final class ClusterCredentials {
    /** Name of the cluster. */
    public static final String CLUSTER = "chaos";

    private static final String OPERATOR = "operator";
    private static final String TOKEN_SHOWN = "# Token, shown once: ";

    private final Path folder;
    private final String senderToken;
    private final String operatorToken;

    private ClusterCredentials(Path folder, String senderToken, String operatorToken) {
        this.folder = folder;
        this.senderToken = senderToken;
        this.operatorToken = operatorToken;
    }

    /**
     * Creates an authority with the certificate of an operator, a secret, and the tokens of an operator and of senders.
     *
     * @param folder takes the files
     */
    public static ClusterCredentials make(Path folder) {
        chimera("tls", "init", "--dir", folder.toString(), "--cluster", CLUSTER);
        List<String> entries = new ArrayList<>(List.of("tokens:"));
        String operator = token(entries, OPERATOR, "--role", "admin");
        String sender = token(entries, "sender", "--role", "ingest", "--input", "influx");
        write(folder.resolve("tokens.yaml"), String.join("\n", entries) + "\n");
        write(folder.resolve("operator.token"), operator + "\n");
        ClusterCredentials credentials = new ClusterCredentials(folder, sender, operator);
        credentials.issue(OPERATOR, CLUSTER, List.of("localhost"));
        return credentials;
    }

    /** Adds the entry printed by {@code chimera token new}, and returns the token. */
    private static String token(List<String> entries, String name, String... options) {
        List<String> arguments = new ArrayList<>(List.of("token", "new", name));
        arguments.addAll(List.of(options));
        List<String> lines = chimera(arguments.toArray(String[]::new)).lines().toList();
        lines.stream().filter(line -> line.startsWith(" ")).forEach(entries::add);
        return lines.stream()
                .filter(line -> line.startsWith(TOKEN_SHOWN))
                .map(line -> line.substring(TOKEN_SHOWN.length()))
                .findFirst()
                .orElseThrow();
    }

    private static String chimera(String... arguments) {
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        int exit = Main.commandLine().setOut(out).setErr(out).execute(arguments);
        if (exit != 0) {
            throw new ChimeraException(
                    Category.FATAL, "'chimera " + String.join(" ", arguments) + "' failed: " + printed);
        }
        return printed.toString();
    }

    private static void write(Path file, String text) {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "Cannot write " + file + " (" + e.getMessage() + "). Free disk space.", e);
        }
    }

    /**
     * Issues a certificate, and replaces an earlier certificate of the node.
     *
     * @param role of the node: queue, processor, coordinator or operator
     * @param names addresses and host names of the node
     */
    public void issue(String role, String id, List<String> names) {
        issue(CLUSTER, role, id, names);
    }

    /** Issues a certificate for a node of another cluster with the same authority. */
    public void issueForeign(String cluster, String role, String id, List<String> names) {
        issue(cluster, role, id, names);
    }

    private void issue(String cluster, String role, String id, List<String> names) {
        List<String> arguments = new ArrayList<>(
                List.of("tls", "issue", role, id, "--dir", folder.toString(), "--cluster", cluster, "--san"));
        arguments.add(String.join(",", names));
        chimera(arguments.toArray(String[]::new));
    }

    /** Returns the folder of all files. */
    public Path folder() {
        return folder;
    }

    /** Returns the file of a node's certificate. */
    public Path cert(String role, String id) {
        return folder.resolve(role + "-" + id + ".pem");
    }

    /** Returns the file of a node's key. */
    public Path key(String role, String id) {
        return folder.resolve(role + "-" + id + ".key");
    }

    /** Returns the file of the authority's certificate. */
    public Path ca() {
        return folder.resolve("ca.pem");
    }

    /** Returns a file with certificate and key of a node, the format required by ZooKeeper's server. */
    public synchronized Path joined(String role, String id) {
        Path file = folder.resolve(role + "-" + id + ".joined.pem");
        try {
            if (!Files.exists(file)) {
                write(
                        file,
                        Files.readString(cert(role, id), StandardCharsets.US_ASCII)
                                + Files.readString(key(role, id), StandardCharsets.US_ASCII));
            }
            return file;
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "Cannot read the certificate of " + id + " (" + e.getMessage() + ").", e);
        }
    }

    /** Returns the access of an operator: certificate and token. */
    public ClientAccess operator() {
        return new ClientAccess(Optional.of(tls(OPERATOR, CLUSTER)), operatorToken);
    }

    /** Returns the access of a sender: a token without a certificate. */
    public ClientAccess sender() {
        TlsConfig files = Sections.of(TlsConfig.class, "ca", ca());
        return new ClientAccess(Optional.of(Tls.open("sender", files, false, new SystemClock())), senderToken);
    }

    /** Returns the certificate of a node, for clients. */
    public Tls tls(String role, String id) {
        TlsConfig files = Sections.of(TlsConfig.class, "cert", cert(role, id), "key", key(role, id), "ca", ca());
        return Tls.open(id, files, true, new SystemClock());
    }
}
