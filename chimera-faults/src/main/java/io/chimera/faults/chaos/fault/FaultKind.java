package io.chimera.faults.chaos.fault;

import io.chimera.faults.chaos.cluster.NodeConfiguration;
import java.util.Locale;

/** Kinds of faults, each with the start of its recovery time and the range of its duration. */
public enum FaultKind {
    /** Kills a queue node (kill -9) and restarts it. */
    QUEUE_KILL(Since.FAULT, 300, 4_000),
    /** Kills a processor (kill -9) and restarts it. */
    PROCESSOR_KILL(Since.FAULT, 300, 4_000),
    /** Kills a coordinator (kill -9) and restarts it. */
    COORDINATOR_KILL(Since.FAULT, 300, 4_000),
    /**
     * Freezes a queue node (SIGSTOP) for longer than its session timeout; afterwards the process continues without
     * notice.
     */
    QUEUE_PAUSE(Since.FAULT, 2_500, 5_000),
    /** Freezes a processor for longer than its session timeout. */
    PROCESSOR_PAUSE(Since.FAULT, 2_500, 5_000),
    /** Freezes a coordinator for longer than its session timeout. */
    COORDINATOR_PAUSE(Since.FAULT, 2_500, 5_000),
    /** Drops packets from a node to another node, but not in the other direction. */
    PARTITION_ONE_WAY(Since.HEAL, 2_000, 6_000),
    /** Drops packets between two nodes in both directions. */
    PARTITION_TWO_WAY(Since.HEAL, 2_000, 6_000),
    /** Disconnects a node from ZooKeeper only. */
    PARTITION_FROM_ZOOKEEPER(Since.FAULT, 2_000, 6_000),
    /** Disconnects a node from all others. */
    LINK_DOWN(Since.FAULT, 2_000, 6_000),
    /** Kills the leading ZooKeeper server (kill -9) and restarts the server. */
    ZOOKEEPER_LEADER_KILL(Since.FAULT, 1_000, 4_000),
    /** Kills two of three ZooKeeper servers and restarts both. */
    ZOOKEEPER_QUORUM_LOSS(Since.HEAL, 1_000, 5_000),
    /**
     * Kills all ZooKeeper servers, or the coordinator with the embedded server, and erases their disks. An operator
     * rebuilds the data with {@code chimera cluster recover}.
     */
    ZOOKEEPER_DATA_LOST(Since.HEAL, 1_000, 4_000),
    /** Kills KairosDB (kill -9) and restarts the server. */
    STORE_KILL(Since.HEAL, 1_000, 5_000),
    /**
     * Kills a processor (kill -9) that may have archived rows of a cycle before any commit was possible, and restarts
     * the processor.
     */
    ARCHIVE_FLUSH_KILL(Since.HEAL, 300, 4_000),
    /**
     * Lets the device of a processor's archive refuse writes for longer than the straggler limit; then the device is
     * repaired, and the processor killed and restarted.
     */
    ARCHIVE_DEVICE_FAILS(Since.FAULT, 13_000, 15_000),
    /** Fills the disk of a queue node's journal to the last block. */
    DISK_FULL(Since.HEAL, 2_000, 6_000),
    /** Kills a queue node (kill -9) and restarts the node with an empty disk. */
    DISK_LOST(Since.FAULT, 300, 4_000),
    /** Steps the wall clock of a node forward or back, and later returns it. */
    CLOCK_STEP(Since.FAULT, 2_000, 5_000),
    /** Lets an intruder without valid credentials attack every port of every process. */
    INTRUDER(Since.FAULT, 8_000, 12_000),
    /**
     * Kills all queue nodes of a journal group at once (kill -9), and restarts all with their disks. The other groups
     * must acknowledge points meanwhile.
     */
    GROUP_KILL(Since.HEAL, 1_000, 4_000),
    /**
     * Kills all queue nodes of a journal group at once while no cycle is open, and restarts all with their disks. The
     * other groups must continue, including their cycles.
     */
    GROUP_KILL_BETWEEN_CYCLES(Since.HEAL, 1_000, 4_000);

    /** Start of the recovery time. */
    public enum Since {
        /** The cluster must continue during the fault. */
        FAULT,
        /** The cluster cannot do all of its work before the fault is undone. */
        HEAL
    }

    private final Since since;
    private final int holdMsMin;
    private final int holdMsMax;

    FaultKind(Since since, int holdMsMin, int holdMsMax) {
        this.since = since;
        this.holdMsMin = holdMsMin;
        this.holdMsMax = holdMsMax;
    }

    /** Returns the start of the recovery time. */
    public Since since() {
        return since;
    }

    /** Returns the minimum duration in milliseconds. */
    public int holdMsMin() {
        return holdMsMin;
    }

    /** Returns the maximum duration in milliseconds. */
    public int holdMsMax() {
        return holdMsMax;
    }

    /**
     * Returns whether this fault and another can be active together without interference, and within the guarantees of
     * the cluster: with two copies of each point, at most one disk is lost.
     */
    boolean goesWith(FaultKind other) {
        return this != other && !(isOfZooKeeper() && other.isOfZooKeeper()) && !isAlone() && !other.isAlone();
    }

    /**
     * Returns whether no other fault may be active: a recovery needs all copies of the control state, and the
     * certificates and disks of their nodes; and without a group all others must continue.
     */
    private boolean isAlone() {
        return this == ZOOKEEPER_DATA_LOST || isOfGroup();
    }

    /** Returns whether the victim is a journal group. */
    public boolean isOfGroup() {
        return this == GROUP_KILL || this == GROUP_KILL_BETWEEN_CYCLES;
    }

    /** Returns whether the fault can hit one queue node of each journal group at the same time. */
    boolean hasTwins() {
        return this == QUEUE_KILL || this == QUEUE_PAUSE || this == DISK_LOST;
    }

    private boolean isOfZooKeeper() {
        return this == ZOOKEEPER_LEADER_KILL || this == ZOOKEEPER_QUORUM_LOSS || this == ARCHIVE_FLUSH_KILL;
    }

    /** Returns whether the fault is possible in a cluster. */
    public boolean isOf(NodeConfiguration cluster) {
        return switch (this) {
            case STORE_KILL -> !cluster.hasArchive();
            case ARCHIVE_FLUSH_KILL -> cluster.hasArchive() && cluster.hasEnsemble();
            case ARCHIVE_DEVICE_FAILS -> cluster.hasArchive();
            case ZOOKEEPER_LEADER_KILL, ZOOKEEPER_QUORUM_LOSS -> cluster.hasEnsemble();
            case GROUP_KILL, GROUP_KILL_BETWEEN_CYCLES -> cluster.groups() > 1;
            default -> true;
        };
    }

    /** Returns the printed name. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
