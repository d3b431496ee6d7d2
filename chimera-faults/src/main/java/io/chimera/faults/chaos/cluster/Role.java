package io.chimera.faults.chaos.cluster;

/** What a host of the cluster does. */
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
    /** Cassandra beneath KairosDB, where it is asked for. */
    DATABASE
}
