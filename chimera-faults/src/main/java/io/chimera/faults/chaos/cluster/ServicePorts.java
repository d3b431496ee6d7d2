package io.chimera.faults.chaos.cluster;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.faults.chaos.intruder.AttackTarget;

/**
 * Services at the ports named by the configuration. Pure.
 *
 * @param config configuration of all nodes
 * @param layout lanes of the nodes: lane i listens on the port of the node's address plus i
 */
record ServicePorts(ChimeraConfig config, NodeConfiguration layout) {
    /** Returns the service at a port of a host. */
    AttackTarget.Kind kind(Role role, int port) {
        if (role == Role.ZOOKEEPER) {
            return port == ZooKeeperServer.CLIENT_PORT
                    ? AttackTarget.Kind.ZOOKEEPER
                    : ZooKeeperServer.SERVER_PORTS.contains(port)
                            ? AttackTarget.Kind.ZOOKEEPER_QUORUM
                            : AttackTarget.Kind.UNKNOWN;
        }
        if (role == Role.COORDINATOR && port == ZooKeeperServer.CLIENT_PORT) {
            return AttackTarget.Kind.ZOOKEEPER;
        }
        if (port == config.node().http().port()) {
            return AttackTarget.Kind.NODE_HTTP;
        }
        boolean isOfNodes = (role == Role.QUEUE
                        && isOfLane(role, port, config.queue().address().port()))
                || (role == Role.PROCESSOR
                        && isOfLane(role, port, config.processor().address().port()));
        boolean isInput = role == Role.QUEUE
                && config.inputs().values().stream()
                        .anyMatch(input -> port == input.http().port());
        return isOfNodes ? AttackTarget.Kind.NODES : isInput ? AttackTarget.Kind.INPUT : AttackTarget.Kind.UNKNOWN;
    }

    private boolean isOfLane(Role role, int port, int first) {
        return port >= first && port < first + layout.lanesOf(role);
    }
}
