package io.chimera.bench.cluster;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.security.Tls;
import io.chimera.node.tls.TlsCommand;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine;

/** Certificates of a cluster on loopback, and the matching settings of its nodes. One thread. */
public final class ClusterSecurity {
    static final String CLUSTER = "bench";

    private final Path folder;
    private final boolean coversNodes;
    private final boolean coversInputs;

    private ClusterSecurity(Path folder, boolean coversNodes, boolean coversInputs) {
        this.folder = folder;
        this.coversNodes = coversNodes;
        this.coversInputs = coversInputs;
    }

    /** Returns the security of a cluster without encryption. */
    public static ClusterSecurity none() {
        return new ClusterSecurity(Path.of(""), false, false);
    }

    /**
     * Creates a certificate authority for a cluster.
     *
     * @param folder folder for certificates and keys
     * @param coversNodes whether connections between nodes, and their HTTP ports, use mutual TLS
     * @param coversInputs whether senders use TLS
     * @throws IOException when {@code chimera tls} fails
     */
    public static ClusterSecurity of(Path folder, boolean coversNodes, boolean coversInputs) throws IOException {
        ClusterSecurity security = new ClusterSecurity(folder, coversNodes, coversInputs);
        if (coversNodes || coversInputs) {
            security.tls("init");
            security.issue("operator", "bench");
        }
        return security;
    }

    /** Issues the certificate of a node, and returns its settings; empty without encryption. */
    Map<String, String> settings(String role, String id) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        if (coversNodes || coversInputs) {
            issue(role, id);
        }
        if (coversNodes) {
            files("node.tls", role, id, settings);
            settings.put("node.tls.ca", folder.resolve("ca.pem").toString());
        }
        if (coversInputs && role.equals("queue")) {
            files("inputs.influx.tls", role, id, settings);
        }
        return settings;
    }

    private void files(String section, String role, String id, Map<String, String> settings) {
        settings.put(section + ".cert", folder.resolve(role + "-" + id + ".pem").toString());
        settings.put(section + ".key", folder.resolve(role + "-" + id + ".key").toString());
    }

    /** Returns a client for the HTTP ports of nodes. */
    NodeClient client() {
        return coversNodes ? NodeClient.of(operator()) : new NodeClient();
    }

    /** Returns the TLS context of senders; empty for plain-text inputs. */
    public Optional<SSLContext> senders() {
        return coversInputs
                ? Optional.of(Tls.open("bench", operator().node().tls(), false, new SystemClock())
                        .clientContext())
                : Optional.empty();
    }

    private ChimeraConfig operator() {
        return new ConfigLoader(Map.of()).parse("bench", """
            node: { tls: { cert: "%1$s/operator-bench.pem", key: "%1$s/operator-bench.key", ca: "%1$s/ca.pem" } }
            coordinator: { cluster: %2$s }
            """.formatted(folder, CLUSTER), List.of());
    }

    private void issue(String role, String id) throws IOException {
        tls("issue", role, id, "--san", "localhost,127.0.0.1");
    }

    private void tls(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--dir", folder.toString(), "--cluster", CLUSTER));
        int code = new CommandLine(new TlsCommand())
                .setOut(new PrintWriter(Writer.nullWriter()))
                .execute(all.toArray(String[]::new));
        if (code != 0) {
            throw new IOException("chimera tls " + String.join(" ", all) + " ended with exit code " + code + ".");
        }
    }
}
