package io.chimera.apps.node;

import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import java.util.List;

/**
 * What ties a queue node or processor to the world, opened and counted: the cluster, the transport, the listeners.
 *
 * @param session the connection to ZooKeeper
 * @param cluster this node as a member
 * @param transport connections to other nodes
 * @param listeners ports for agents
 */
record NodeLinks(ZooKeeperSession session, Cluster cluster, NettyTransport transport, NettyListeners listeners) {
    /** Opens all of it; what is opened is closed in the opposite order. */
    static NodeLinks open(NodeContext context, Opened opened) {
        Counters<ChannelCounter> channel = new Counters<>(ChannelCounter.class);
        Counters<ClusterCounter> cluster = new Counters<>(ClusterCounter.class);
        context.metrics().register("channel", channel);
        context.metrics().register("cluster", cluster);
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
        ZooKeeperSession session = opened.add(new ZooKeeperSession(
                ClusterSettings.of(
                        context.config().coordinator(), context.certificates().coordinator()),
                context.id(),
                context.clock(),
                cluster,
                context.errors()));
        return new NodeLinks(session, opened.add(session.cluster()), transport, listeners);
    }

    /** Why the node has no part in the cluster, if so. */
    List<String> problems() {
        return session.problem().stream().toList();
    }
}
