package io.chimera.node.launch;

import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.NodeConfig.Role;
import io.chimera.common.error.ErrorLog;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.plugin.PluginHost;
import io.chimera.node.NodeNames;
import io.chimera.node.plugin.NodePlugins;
import io.chimera.node.plugin.PluginHosts;
import io.chimera.node.plugin.PluginNotices;
import io.chimera.node.security.Certificates;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Start parameters of a node.
 *
 * @param role role of this single node
 * @param config the configuration
 * @param id the node's name
 * @param host host under which other nodes reach this node
 * @param http announced address of this node's HTTP port
 * @param ids draws random ids of sessions and streams, never 0
 * @param clock time
 * @param errors handler of all errors of the process
 * @param metrics the node's metrics
 * @param hosts the node's plugins
 * @param channels threads of all connections of the process; closed after the node
 * @param certificates certificates of the process
 * @param access access rules of the process
 */
record NodeContext(
        Role role,
        ChimeraConfig config,
        String id,
        String host,
        String http,
        LongSupplier ids,
        Clock clock,
        ErrorLog errors,
        Metrics metrics,
        PluginHosts hosts,
        ChannelThreads channels,
        Certificates certificates,
        AccessControl access) {
    /** Returns the plugins of the node's start. */
    PluginHost plugins() {
        return hosts.first();
    }

    /** Returns the warnings about the plugins. */
    PluginNotices notices() {
        return new PluginNotices(hosts, NodePlugins.folder(config), clock);
    }

    /** Returns the digest of all settings shared by the members of the cluster. */
    ConfigurationDigest agreement() {
        return NodePlugins.agreement(config, plugins().registry());
    }

    /** Returns the node's own directory; several nodes in one process have separate directories. */
    Path dataDir() {
        Path base = config.node().dataDir();
        return config.node().role() == role ? base : base.resolve(NodeNames.role(role));
    }
}
