package io.chimera.node.launch;

import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.node.cluster.ClusterSettings;

/** Connection of a process to ZooKeeper with its metrics. */
final class NodePorts {
    private NodePorts() {}

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
}
