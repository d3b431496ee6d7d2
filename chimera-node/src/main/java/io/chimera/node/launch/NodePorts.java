package io.chimera.node.launch;

import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.node.cluster.ClusterSettings;
import java.util.List;

/**
 * Open connections of a queue node with their metrics: cluster, transport, listeners.
 *
 * @param session the connection to ZooKeeper
 * @param cluster this node's membership in the cluster
 * @param transport connections to other nodes
 * @param listeners ports for agents
 */
record NodePorts(ZooKeeperSession session, Cluster cluster, NettyTransport transport, NettyListeners listeners) {
    /** Opens all connections. The given {@link Opened} closes them in reverse order. */
    static NodePorts open(NodeContext context, Opened opened) {
        Counters<ChannelCounter> channel = new Counters<>(ChannelCounter.class);
        context.metrics().register("channel", channel);
        NettyTransport transport = opened.add(new NettyTransport(
                context.channels(),
                channel,
                context.errors(),
                context.certificates().node()));
        NettyListeners listeners = opened.add(new NettyListeners(
                context.channels(),
                channel,
                context.errors(),
                context.certificates().inputs()));
        ZooKeeperSession session = session(context, opened);
        return new NodePorts(session, opened.add(session.cluster()), transport, listeners);
    }

    /** Starts to connect to ZooKeeper. All members of a node share the session. */
    static ZooKeeperSession session(NodeContext context, Opened opened) {
        Counters<ClusterCounter> counters = new Counters<>(ClusterCounter.class);
        context.metrics().register("cluster", counters);
        return opened.add(new ZooKeeperSession(
                ClusterSettings.of(
                        context.config().coordinator(), context.certificates().coordinator()),
                context.id(),
                context.clock(),
                counters,
                context.errors()));
    }

    /** Returns the reasons why the node has no connection to the cluster. */
    List<String> problems() {
        return session.problem().stream().toList();
    }

    /** Returns warnings about other processes with an id of this node. */
    List<String> warnings() {
        return session.warnings();
    }
}
