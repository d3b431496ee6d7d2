package io.chimera.faults.sim.world;

import java.util.Locale;

/** Kinds of faults of a simulated cluster. */
public enum SimFaultKind {
    /** A queue node is killed and restarts with its disk. */
    QUEUE_KILLED,
    /** A queue node is killed and restarts with an empty disk. */
    DISK_LOST,
    /** All queue nodes lose power at once; some or all unsynced data is lost. */
    POWER_CUT,
    /** A journal refuses data and does not sync for a while. */
    DISK_FULL,
    /** A processor is killed and restarts. */
    PROCESSOR_KILLED,
    /** A coordinator is killed and restarts. */
    COORDINATOR_KILLED,
    /** A process is paused, often for longer than its session timeout. */
    PAUSED,
    /** Two nodes cannot reach each other. */
    PARTITION,
    /** Packets from a node do not reach another node. */
    PARTITION_ONE_WAY,
    /** The connections between two nodes break. */
    CONNECTION_BROKEN,
    /** Packets from a node to another node are delayed shortly. */
    DELAY,
    /** Single frames with points are lost on an open connection. */
    FRAMES_LOST,
    /** A process cannot reach ZooKeeper. */
    ZOOKEEPER_CUT,
    /** No process can reach ZooKeeper. */
    ZOOKEEPER_OUTAGE,
    /** ZooKeeper expires a session. */
    SESSION_EXPIRED,
    /** A write of the conductor takes effect, but its reply is lost. */
    REPLY_LOST,
    /** Another coordinator took the lead, unknown to the conductor. */
    OVERTAKEN,
    /** The store refuses all rows for a while. */
    STORE_OUTAGE,
    /** The store writes late, in another order, sometimes twice; also after some of its error answers. */
    STORE_LATE,
    /** The store answers with success and writes nothing; only in runs that read rows back. */
    STORE_FORGETS,
    /** The store writes and answers with an error. */
    STORE_FALSE_ERROR,
    /** The store rejects the content of every batch. */
    STORE_REFUSES,
    /** The store rejects the content of some batches, at random. */
    STORE_REFUSES_SOME,
    /** One of two stores rejects the content of every batch. */
    SECOND_STORE_REFUSES,
    /** A new processor joins. */
    PROCESSOR_JOINS,
    /** A new queue node joins. */
    QUEUE_JOINS,
    /** A processor leaves after a drain and comes back later. */
    PROCESSOR_LEAVES,
    /** A queue node leaves after a drain, and either comes back later or is removed from the group with its disk. */
    QUEUE_LEAVES,
    /** A queue node is killed, and removed from the group with its disk as soon as the product permits; or it restarts. */
    QUEUE_REMOVED,
    /** The wall clock of a machine steps. */
    CLOCK_STEP;

    /** Returns the printed name. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
