package io.chimera.faults.sim;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.MemoryCluster;

/**
 * A process's session with ZooKeeper in virtual time: unreachable for two thirds of the session's time the client notices,
 * for all of it ZooKeeper gives the session up. Several faults may keep it away at one time.
 */
final class SimSession {
    private final MemoryCluster.Client client;
    private final Timetable timetable;
    private final long timeoutNs;
    private int obstacles;
    private int generation;
    private boolean isNoticed;
    private boolean isExpired;
    private boolean isOver;

    SimSession(MemoryCluster.Client client, Timetable timetable, long timeoutNs) {
        this.client = client;
        this.timetable = timetable;
        this.timeoutNs = timeoutNs;
    }

    MemoryCluster.Client client() {
        return client;
    }

    /** What the client sees. */
    ClusterView view() {
        return client.view();
    }

    /**
     * Nothing passes from now on.
     *
     * @param runs whether the client's process runs, so that it can notice
     * @param expires whether ZooKeeper is there to give the session up
     */
    void obstruct(boolean runs, boolean expires) {
        obstacles++;
        if (obstacles > 1 || isOver) {
            return;
        }
        client.hang(true);
        int now = ++generation;
        if (runs) {
            timetable.in(timeoutNs * 2 / 3, () -> {
                if (now == generation && !isOver) {
                    isNoticed = true;
                    client.disconnect();
                }
            });
        }
        if (expires) {
            timetable.in(timeoutNs, () -> {
                if (now == generation) {
                    isExpired = true;
                    client.expire();
                }
            });
        }
    }

    /** One of the obstacles is gone; after the last the client connects again, if need be with a new session. */
    void clear() {
        obstacles--;
        if (obstacles > 0 || isOver) {
            return;
        }
        generation++;
        if (isNoticed || isExpired) {
            int now = generation;
            if (!isNoticed) {
                // a process that stood still goes on for a moment before it hears that its session is gone
                timetable.in(timetable.random().nextInt(50_000_000), () -> {
                    if (now == generation && !isOver) {
                        client.disconnect();
                        isNoticed = true;
                    }
                });
            }
            timetable.in(50_000_000 + timetable.random().nextInt(200_000_000), () -> {
                if (now == generation && !isOver) {
                    isNoticed = false;
                    isExpired = false;
                    client.hang(false);
                    client.reconnect();
                }
            });
        } else {
            client.hang(false);
        }
    }

    /** ZooKeeper forgets the session; the client connects again with another. */
    void expire() {
        if (isOver) {
            return;
        }
        client.expire();
        obstruct(true, false);
        isExpired = true;
        clear();
    }

    /** The process ends in order, and withdraws what it announced if it can. */
    void close() {
        if (obstacles == 0 && !isNoticed && !isExpired && client instanceof MemoryCluster.Node node) {
            isOver = true;
            node.close();
        } else {
            die();
        }
    }

    /** The process is gone; ZooKeeper finds out later. */
    void die() {
        isOver = true;
        client.die();
        if (!isExpired) {
            timetable.in(timeoutNs, client::expire);
        } else {
            client.expire();
        }
    }
}
