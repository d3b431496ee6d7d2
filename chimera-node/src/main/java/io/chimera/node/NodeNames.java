package io.chimera.node;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.NodeConfig.Role;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names of a node and of its role, derived from the configuration. */
public final class NodeNames {
    private static final Logger LOG = LoggerFactory.getLogger(NodeNames.class);

    private NodeNames() {}

    /** Returns the name of a role in lower case. */
    public static String role(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the id of a role's node: the configured id, or else an id derived from the host. */
    public static String id(ChimeraConfig config, Role role, String host) {
        String given = config.node().id();
        if (given.isEmpty()) {
            return host + "-" + role(role);
        }
        boolean oneOfSeveral = role != config.node().role();
        return oneOfSeveral ? given + "-" + role(role) : given;
    }

    /** Returns the name of this node for other nodes: the configured host, or else the name of the machine. */
    public static String host(ChimeraConfig config) {
        return config.node().host().isEmpty() ? hostName() : config.node().host();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            LOG.warn("The host name of this machine cannot be resolved. Set node.host, or other nodes cannot reach this"
                    + " node.");
            return "localhost";
        }
    }
}
