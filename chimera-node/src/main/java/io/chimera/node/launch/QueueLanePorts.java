package io.chimera.node.launch;

import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.channel.netty.PortSharing;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.identity.LaneId;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;

/**
 * Open connections of a lane of a queue node with their metrics.
 *
 * @param session the connection to ZooKeeper, shared by all lanes
 * @param cluster the lane's membership in the cluster
 * @param transport connections to other nodes
 * @param listeners ports for agents, shared by all lanes
 */
record QueueLanePorts(ZooKeeperSession session, Cluster cluster, NettyTransport transport, NettyListeners listeners) {
    /**
     * Opens the connections of a lane. The first lane shares the event loops of the process unless lanes are bound to
     * cores, every other lane has event loops of its own.
     *
     * @param session session of the node
     * @param lanes number of lanes
     * @param lane number of the lane, from 0
     * @param cores cores of the lanes
     * @param opened closes the connections in reverse order
     */
    static QueueLanePorts open(
            NodeContext context, ZooKeeperSession session, int lanes, int lane, LaneCores cores, Opened opened) {
        Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
        context.metrics().lane(lane).register("channel", counters);
        ChannelThreads threads = lane == 0 && !cores.isBound()
                ? context.channels()
                : opened.add(new ChannelThreads(LaneId.of(context.id(), lane)));
        NettyTransport transport = opened.add(new NettyTransport(
                threads, counters, context.errors(), context.certificates().node()));
        NettyListeners listeners = opened.add(new NettyListeners(
                threads, counters, context.errors(), context.certificates().inputs(), PortSharing.of(lanes, lane)));
        Cluster cluster = opened.add(lane == 0 ? session.cluster() : session.openCluster());
        return new QueueLanePorts(session, cluster, transport, listeners);
    }
}
