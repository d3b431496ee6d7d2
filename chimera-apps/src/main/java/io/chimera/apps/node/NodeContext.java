package io.chimera.apps.node;

import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.NodeConfig.Role;
import io.chimera.common.error.ErrorLog;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.plugin.PluginHost;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * What a node is started with.
 *
 * @param role its role, of one node alone
 * @param config the configuration
 * @param id the node's name
 * @param host by which other nodes reach this one
 * @param http where others find this node's HTTP port, as it is announced
 * @param ids draws numbers that name a session or a stream: random, never 0
 * @param clock time
 * @param errors the one place that hears of errors
 * @param metrics the node's metrics
 * @param hosts the node's plugins
 * @param channels threads of all connections of the process; closed after the node
 * @param certificates of the process
 * @param access who may do what
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
    /** The plugins that the node is started with. */
    PluginHost plugins() {
        return hosts.first();
    }

    /** What the operator must know of the plugins. */
    PluginNotices notices() {
        return new PluginNotices(hosts, NodePlugins.folder(config), clock);
    }

    /** What this node and the other members of its cluster must agree on. */
    String agreement() {
        return NodePlugins.agreement(config, plugins().registry());
    }

    /** The node's own directory; several nodes in one process do not share one. */
    Path dataDir() {
        Path base = config.node().dataDir();
        return config.node().role() == role ? base : base.resolve(RoleNames.of(role));
    }
}
