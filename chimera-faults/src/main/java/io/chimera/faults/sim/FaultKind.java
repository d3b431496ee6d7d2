package io.chimera.faults.sim;

import java.util.Locale;

/** What can happen to a simulated cluster. */
enum FaultKind {
    /** A queue node is killed and starts again, with its disk. */
    QUEUE_KILLED,
    /** A queue node is killed and starts again with an empty disk. */
    DISK_LOST,
    /** All queue nodes lose power at once; what was not synced is gone, or some of it. */
    POWER_CUT,
    /** A journal takes nothing and syncs nothing for a while. */
    DISK_FULL,
    /** A processor is killed and starts again. */
    PROCESSOR_KILLED,
    /** A coordinator is killed and starts again. */
    COORDINATOR_KILLED,
    /** A process stands still, often for longer than its session lasts. */
    PAUSED,
    /** Nothing passes between two nodes. */
    PARTITION,
    /** Nothing passes from one node to another. */
    PARTITION_ONE_WAY,
    /** The connections between two nodes break. */
    CONNECTION_BROKEN,
    /** What one node sends to another is held back shortly. */
    DELAY,
    /** Single frames with points are lost although their connection stands. */
    FRAMES_LOST,
    /** A process cannot reach ZooKeeper. */
    ZOOKEEPER_CUT,
    /** Nobody can reach ZooKeeper. */
    ZOOKEEPER_OUTAGE,
    /** ZooKeeper forgets a session. */
    SESSION_EXPIRED,
    /** A write of the conductor takes effect but its reply is lost. */
    REPLY_LOST,
    /** Another took the lead and the conductor has not heard of it. */
    OVERTAKEN,
    /** The store takes nothing for a while. */
    STORE_OUTAGE,
    /** The store writes late, in another order, at times twice; some of it although it answered with an error. */
    STORE_LATE,
    /** The store answers with success and writes nothing; only where rows are read back. */
    STORE_FORGETS,
    /** The store writes and answers with an error. */
    STORE_FALSE_ERROR,
    /** The store answers every batch as if its content were bad. */
    STORE_REFUSES,
    /** The store answers some batches, whatever they hold, as if their content were bad. */
    STORE_REFUSES_SOME,
    /** One of two stores answers every batch as if its content were bad. */
    SECOND_STORE_REFUSES,
    /** Another processor joins. */
    PROCESSOR_JOINS,
    /** Another queue node joins. */
    QUEUE_JOINS,
    /** A processor leaves in order and comes back later. */
    PROCESSOR_LEAVES,
    /** A queue node leaves in order; it comes back later, or is taken out of the group for good, with its disk. */
    QUEUE_LEAVES,
    /** The wall clock of a machine steps. */
    CLOCK_STEP;

    /** As it is printed. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
