package io.chimera.common.config;

import io.chimera.common.config.NodeConfig.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * Port without authentication or TLS, reachable from other machines.
 *
 * @param listening the port and its key
 * @param owner section with the relevant key {@code insecure}
 * @param lacks missing protection: authentication, TLS or both
 * @param isPermitted whether {@code insecure} is set in the section
 */
public record OpenPort(Listening listening, String owner, String lacks, boolean isPermitted) {
    /** Returns all listen addresses of the node of a configuration. */
    public static List<Listening> listeners(ChimeraConfig config) {
        List<Listening> all = nodeListeners(config, config.queueLanes(), config.processorLanes());
        if (config.node().role().nodes().contains(Role.QUEUE)) {
            config.inputs().forEach((name, input) -> all.addAll(inputListeners(name, input)));
        }
        return all;
    }

    /** Returns the ports of a node without authentication or TLS, reachable from other machines. */
    public static List<OpenPort> of(ChimeraConfig config) {
        List<OpenPort> open = new ArrayList<>();
        for (Listening listening : nodeListeners(config, 1, 1)) { // the same rule for all lanes: one message
            add(
                    open,
                    listening,
                    "node",
                    lacksOfNode(config, listening.path()),
                    config.node().insecure());
        }
        if (config.node().role().nodes().contains(Role.QUEUE)) {
            config.inputs().forEach((name, input) -> {
                for (Listening listening : inputListeners(name, input)) {
                    add(open, listening, "inputs." + name, lacksOfInput(config, input, listening), input.insecure());
                }
            });
        }
        return open;
    }

    private static String lacksOfNode(ChimeraConfig config, String path) {
        TlsConfig tls = config.node().tls();
        return switch (path) {
            // nodes authenticate by certificate
            case "queue.address", "processor.address" -> lacks(tls != null, tls != null);
            case "coordinator.embedded.address" -> {
                TlsConfig own = config.coordinator().tls();
                yield lacks(own != null && own.hasCertificate(), own != null && own.hasCertificate());
            }
            default -> lacks(config.node().tokens() != null || asksForCertificate(tls), tls != null);
        };
    }

    private static String lacksOfInput(ChimeraConfig config, InputConfig input, Listening listening) {
        boolean hasRanges = !input.allow().isEmpty();
        if (listening.datagrams()) {
            return lacks(hasRanges, true); // UDP has no TLS, so allowed addresses are the only possible check
        }
        boolean hasTokens = config.node().tokens() != null;
        return lacks(hasRanges || hasTokens || asksForCertificate(input.tls()), input.tls() != null);
    }

    private static boolean asksForCertificate(TlsConfig tls) {
        return tls != null && tls.clientAuth() == TlsConfig.ClientAuth.NEED;
    }

    private static String lacks(boolean isChecked, boolean isEncrypted) {
        if (isChecked) {
            return isEncrypted ? "" : "TLS";
        }
        return isEncrypted ? "authentication" : "authentication and TLS";
    }

    private static void add(List<OpenPort> open, Listening listening, String owner, String lacks, boolean isPermitted) {
        if (!lacks.isEmpty() && !listening.address().isLoopback()) {
            open.add(new OpenPort(listening, owner, lacks, isPermitted));
        }
    }

    private static List<Listening> nodeListeners(ChimeraConfig config, int queueLanes, int processorLanes) {
        List<Role> nodes = config.node().role().nodes();
        List<Listening> all = new ArrayList<>();
        all.add(new Listening("node.http", config.node().http(), false));
        if (nodes.contains(Role.QUEUE)) {
            for (int lane = 0; lane < queueLanes; lane++) {
                all.add(new Listening("queue.address", config.queue().address(lane), false, lane));
            }
        }
        if (nodes.contains(Role.PROCESSOR)) {
            for (int lane = 0; lane < processorLanes; lane++) {
                all.add(new Listening("processor.address", config.processor().address(lane), false, lane));
            }
        }
        if (nodes.contains(Role.COORDINATOR) && config.coordinator().runsEmbedded()) {
            all.add(new Listening(
                    "coordinator.embedded.address",
                    config.coordinator().embedded().address(),
                    false));
        }
        return all;
    }

    private static List<Listening> inputListeners(String name, InputConfig input) {
        String path = "inputs." + name;
        List<Listening> all = new ArrayList<>();
        if (input.http() != null) {
            all.add(new Listening(path + ".http", input.http(), false));
        }
        if (input.tcp() != null) {
            all.add(new Listening(path + ".tcp", input.tcp(), false));
        }
        if (input.udp() != null) {
            all.add(new Listening(path + ".udp", input.udp(), true));
        }
        return all;
    }

    /** Message for a refused configuration, with a remedy. */
    public String problem() {
        boolean needsRanges = listening.datagrams() && lacks.startsWith("authentication");
        return "%s is %s, reachable from other machines without %s. Listen on 127.0.0.1:%d, %sor set %s.insecure: true in a trusted network."
                .formatted(
                        listening.path(),
                        listening.address(),
                        lacks,
                        listening.address().port(),
                        needsRanges ? "set " + owner + ".allow to the addresses of the senders, " : "",
                        owner);
    }

    /** Log message for a deliberately open port. */
    String warning() {
        return "%s (%s) is open to other machines without %s, because %s.insecure is true."
                .formatted(listening.path(), listening.address(), lacks, owner);
    }
}
