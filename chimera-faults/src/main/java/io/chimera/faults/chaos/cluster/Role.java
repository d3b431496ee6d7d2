package io.chimera.faults.chaos.cluster;

/** Role of a host in the cluster. */
public enum Role {
    /** A server of the ZooKeeper ensemble. */
    ZOOKEEPER,
    /** A coordinator. */
    COORDINATOR,
    /** A queue node. */
    QUEUE,
    /** A processor. */
    PROCESSOR,
    /** KairosDB. */
    STORE,
    /** Cassandra as database of KairosDB, if requested. */
    DATABASE
}
