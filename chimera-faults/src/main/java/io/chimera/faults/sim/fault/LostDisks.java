package io.chimera.faults.sim.fault;

import io.chimera.faults.sim.world.Timetable;
import java.util.concurrent.TimeUnit;

/** Times at which disks of queue nodes were lost or removed. */
final class LostDisks {
    /**
     * Minimum time between losses of disks: a replaced disk must have been filled again, which takes time in any
     * system.
     */
    private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(12);

    private final Timetable timetable;
    private long lostNs = -EVERY_NS;

    /** Time of the last removal of a queue node; a removal demands copies, so another removal may follow at once. */
    private long removedNs = -EVERY_NS;

    LostDisks(Timetable timetable) {
        this.timetable = timetable;
    }

    /** Notes that a disk, or ZooKeeper's data, is lost now. */
    void lost() {
        lostNs = timetable.nowNs();
    }

    /** Notes that a queue node is removed now with its disks. */
    void removed() {
        removedNs = timetable.nowNs();
    }

    /** Returns whether copies may be missing after a recent loss of disks. */
    boolean isLossRecent() {
        return timetable.nowNs() - lostNs < EVERY_NS;
    }

    /** Returns whether copies may be missing after a recent loss or removal of disks. */
    boolean isAnyMissing() {
        return isLossRecent() || timetable.nowNs() - removedNs < EVERY_NS;
    }
}
