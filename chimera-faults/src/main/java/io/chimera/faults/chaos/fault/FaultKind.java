package io.chimera.faults.chaos.fault;

import java.util.Locale;

/** The kinds of faults. Each says from when on recovery is measured, and how long it lasts at most. */
public enum FaultKind {
    /** A queue node is killed (kill -9), and started again. */
    QUEUE_KILL(Since.FAULT, 300, 4_000),
    /** A processor is killed (kill -9), and started again. */
    PROCESSOR_KILL(Since.FAULT, 300, 4_000),
    /** A coordinator is killed (kill -9), and started again. */
    COORDINATOR_KILL(Since.FAULT, 300, 4_000),
    /** A queue node stands still (SIGSTOP) for longer than its session lasts, and goes on as if nothing had been. */
    QUEUE_PAUSE(Since.FAULT, 2_500, 5_000),
    /** A processor stands still for longer than its session lasts. */
    PROCESSOR_PAUSE(Since.FAULT, 2_500, 5_000),
    /** A coordinator stands still for longer than its session lasts. */
    COORDINATOR_PAUSE(Since.FAULT, 2_500, 5_000),
    /** What one node sends to another is lost; what comes back is not. */
    PARTITION_ONE_WAY(Since.HEAL, 2_000, 6_000),
    /** Two nodes cannot reach each other. */
    PARTITION_TWO_WAY(Since.HEAL, 2_000, 6_000),
    /** A node cannot reach ZooKeeper, but all else. */
    PARTITION_FROM_ZOOKEEPER(Since.FAULT, 2_000, 6_000),
    /** A node's cable is pulled. */
    LINK_DOWN(Since.FAULT, 2_000, 6_000),
    /** The leading ZooKeeper server is killed (kill -9), and started again. */
    ZOOKEEPER_LEADER_KILL(Since.FAULT, 1_000, 4_000),
    /** Two of three ZooKeeper servers are killed, and started again. */
    ZOOKEEPER_QUORUM_LOSS(Since.HEAL, 1_000, 5_000),
    /**
     * All servers of ZooKeeper, or the coordinator with the embedded one, are killed and lose their disks. An operator rebuilds the data with
     * {@code chimera cluster recover}.
     */
    ZOOKEEPER_DATA_LOST(Since.HEAL, 1_000, 4_000),
    /** KairosDB is killed (kill -9), and started again. */
    STORE_KILL(Since.HEAL, 1_000, 5_000),
    /** A processor is killed (kill -9) when it may have archived rows of a cycle that nobody could commit yet, and started again. */
    ARCHIVE_FLUSH_KILL(Since.HEAL, 300, 4_000),
    /**
     * The device of a processor's archive refuses writes, for longer than the others wait for a straggler; then it is mended, and the
     * processor killed and started again.
     */
    ARCHIVE_DEVICE_FAILS(Since.FAULT, 13_000, 15_000),
    /** The disk under the journal of a queue node is full to the last block. */
    DISK_FULL(Since.HEAL, 2_000, 6_000),
    /** A queue node is killed (kill -9), and started again with nothing on its disk. */
    DISK_LOST(Since.FAULT, 300, 4_000),
    /** The time of day of a node jumps ahead or back, and later returns. */
    CLOCK_STEP(Since.FAULT, 2_000, 5_000),
    /** An intruder without valid credentials attacks every port of every process. */
    INTRUDER(Since.FAULT, 8_000, 12_000);

    /** From when on recovery is measured. */
    public enum Since {
        /** The cluster is to go on while the fault lasts. */
        FAULT,
        /** The cluster cannot go on, or not with all of its work, before the fault is undone. */
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

    /** From when on recovery is measured. */
    public Since since() {
        return since;
    }

    /** It lasts at least so long, milliseconds. */
    public int holdMsMin() {
        return holdMsMin;
    }

    /** It is undone after so long at the latest, milliseconds. */
    public int holdMsMax() {
        return holdMsMax;
    }

    /**
     * Whether this and another can be in force at one time without getting into each other's way, and without breaking
     * what the cluster is promised: with two copies of each point no more than one disk is lost.
     */
    boolean goesWith(FaultKind other) {
        return this != other && !(isOfZooKeeper() && other.isOfZooKeeper()) && !isAlone() && !other.isAlone();
    }

    /** A recovery needs all copies of the control state, and the certificates and disks of those who have them. */
    private boolean isAlone() {
        return this == ZOOKEEPER_DATA_LOST;
    }

    private boolean isOfZooKeeper() {
        return this == ZOOKEEPER_LEADER_KILL || this == ZOOKEEPER_QUORUM_LOSS || this == ARCHIVE_FLUSH_KILL;
    }

    /**
     * Whether it can happen to a cluster.
     *
     * @param hasArchive whether its processors keep the rows in archives; KairosDB does if not
     * @param hasEnsemble whether ZooKeeper has servers of its own; a coordinator embeds the only one if not
     */
    public boolean isOf(boolean hasArchive, boolean hasEnsemble) {
        return switch (this) {
            case STORE_KILL -> !hasArchive;
            case ARCHIVE_FLUSH_KILL -> hasArchive && hasEnsemble;
            case ARCHIVE_DEVICE_FAILS -> hasArchive;
            case ZOOKEEPER_LEADER_KILL, ZOOKEEPER_QUORUM_LOSS -> hasEnsemble;
            default -> true;
        };
    }

    /** As it is printed. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
