package io.chimera.bench.datasets.path;

import java.util.concurrent.TimeUnit;

/**
 * The slowest link of a path in one direction, shared by all connections: sends one byte after the other, and has a
 * short queue. One thread.
 */
final class PathLink {
    /** Length of the queue as time: 5 ms at 1 Gbit/s are 625 KB. */
    private static final long QUEUE_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final PathModel model;
    private long idleFromNs;

    /**
     * Creates an idle link.
     *
     * @param nowNs present time
     */
    PathLink(PathModel model, long nowNs) {
        this.model = model;
        idleFromNs = nowNs;
    }

    /** Returns whether the queue has room. */
    boolean hasRoom(long nowNs) {
        return roomFromNs() - nowNs <= 0;
    }

    /** Returns the time from which on the queue has room. */
    long roomFromNs() {
        return idleFromNs - QUEUE_NS;
    }

    /** Queues bytes; returns the time at which the last byte leaves the link. */
    long send(long bytes, long nowNs) {
        idleFromNs = (idleFromNs - nowNs > 0 ? idleFromNs : nowNs) + model.sendNs(bytes);
        return idleFromNs;
    }
}
