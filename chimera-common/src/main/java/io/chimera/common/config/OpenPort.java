package io.chimera.common.config;

import io.chimera.common.config.NodeConfig.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * A port that other machines reach although it has no authentication or no TLS.
 *
 * @param listening the port and its key
 * @param owner section whose key {@code insecure} permits it
 * @param isPermitted whether {@code insecure} is set there
 */
record OpenPort(Listening listening, String owner, boolean isPermitted) {
    /** All addresses that the node of a configuration listens on. */
    static List<Listening> listeners(ChimeraConfig config) {
        List<Listening> all = nodeListeners(config);
        if (config.node().role().nodes().contains(Role.QUEUE)) {
            config.inputs().forEach((name, input) -> all.addAll(inputListeners(name, input)));
        }
        return all;
    }

    /** The ports of a node that other machines reach without authentication or TLS. */
    static List<OpenPort> of(ChimeraConfig config) {
        List<OpenPort> open = new ArrayList<>();
        nodeListeners(config).stream()
                .filter(OpenPort::isOutward)
                .filter(listening -> !isLocked(config, listening.path()))
                .forEach(listening ->
                        open.add(new OpenPort(listening, "node", config.node().insecure())));
        if (config.node().role().nodes().contains(Role.QUEUE)) {
            config.inputs().forEach((name, input) -> inputListeners(name, input).stream()
                    .filter(OpenPort::isOutward)
                    .filter(listening -> listening.datagrams() || !asksForCertificate(input.tls()))
                    .forEach(listening -> open.add(new OpenPort(listening, "inputs." + name, input.insecure()))));
        }
        return open;
    }

    /** Whether clients of a node's port need a certificate. Connections between nodes always do with TLS. */
    private static boolean isLocked(ChimeraConfig config, String path) {
        return switch (path) {
            case "queue.address", "processor.address" -> config.node().tls() != null;
            case "coordinator.embedded.address" ->
                config.coordinator().tls() != null && config.coordinator().tls().hasCertificate();
            default -> asksForCertificate(config.node().tls());
        };
    }

    private static boolean asksForCertificate(TlsConfig tls) {
        return tls != null && tls.clientAuth() == TlsConfig.ClientAuth.NEED;
    }

    private static boolean isOutward(Listening listening) {
        return !listening.address().isLoopback();
    }

    private static List<Listening> nodeListeners(ChimeraConfig config) {
        List<Role> nodes = config.node().role().nodes();
        List<Listening> all = new ArrayList<>();
        all.add(new Listening("node.http", config.node().http(), false));
        if (nodes.contains(Role.QUEUE)) {
            all.add(new Listening("queue.address", config.queue().address(), false));
        }
        if (nodes.contains(Role.PROCESSOR)) {
            all.add(new Listening("processor.address", config.processor().address(), false));
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

    /** Why the configuration is refused, and what to set. */
    String problem() {
        return "%s is %s, which other machines reach without authentication and TLS. Listen on 127.0.0.1:%d, or set %s.insecure: true where the network is trusted."
                .formatted(
                        listening.path(),
                        listening.address(),
                        listening.address().port(),
                        owner);
    }

    /** What the log says of a port that is open on purpose. */
    String warning() {
        return "%s (%s) is open to other machines without authentication and TLS, because %s.insecure is true."
                .formatted(listening.path(), listening.address(), owner);
    }
}
