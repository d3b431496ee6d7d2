package io.chimera.faults.chaos.intruder;

/**
 * A port of a process.
 *
 * @param name of the host
 * @param host its address
 * @param port the number
 * @param kind service at the port
 */
public record AttackTarget(String name, String host, int port, Kind kind) {
    /** Service at a port. */
    public enum Kind {
        /** Health, metrics and commands of a node. */
        NODE_HTTP,
        /** Frames of other nodes. */
        NODES,
        /** An input with InfluxDB's protocol. */
        INPUT,
        /** ZooKeeper's clients. */
        ZOOKEEPER,
        /** ZooKeeper's servers among each other. */
        ZOOKEEPER_QUORUM,
        /** Not in the configuration. */
        UNKNOWN
    }

    @Override
    public String toString() {
        return name + ":" + port;
    }
}
