package io.chimera.faults.sim.world;

import io.chimera.common.cluster.ClusterView;
import io.chimera.testkit.cluster.MemoryCluster;
import java.util.List;

/**
 * A process's session with ZooKeeper in virtual time. After two thirds of the session timeout without contact the
 * client notices, after the whole timeout ZooKeeper expires the session. Several faults may obstruct the session
 * together.
 */
public final class SimSession {
    private final List<? extends MemoryCluster.Client> clients;
    private final Timetable timetable;
    private final long timeoutNs;
    private int obstacles;
    private int generation;
    private boolean isNoticed;
    private boolean isExpired;
    private boolean isOver;

    /** Creates a session shared by the clients of all lanes of a process. */
    SimSession(List<? extends MemoryCluster.Client> clients, Timetable timetable, long timeoutNs) {
        this.clients = List.copyOf(clients);
        this.timetable = timetable;
        this.timeoutNs = timeoutNs;
    }

    /** Returns the client of the first lane. */
    public MemoryCluster.Client client() {
        return clients.get(0);
    }

    /** Returns the view of the first lane. */
    public ClusterView view() {
        return client().view();
    }

    /**
     * Obstructs the connection from now on.
     *
     * @param runs whether the client's process is running, and so can notice
     * @param expires whether ZooKeeper is running, and so can expire the session
     */
    public void obstruct(boolean runs, boolean expires) {
        obstacles++;
        if (obstacles > 1 || isOver) {
            return;
        }
        clients.forEach(client -> client.hang(true));
        int now = ++generation;
        if (runs) {
            timetable.in(timeoutNs * 2 / 3, () -> {
                if (now == generation && !isOver) {
                    isNoticed = true;
                    clients.forEach(MemoryCluster.Client::disconnect);
                }
            });
        }
        if (expires) {
            timetable.in(timeoutNs, () -> {
                if (now == generation) {
                    isExpired = true;
                    clients.forEach(MemoryCluster.Client::expire);
                }
            });
        }
    }

    /** Removes an obstacle; after the last obstacle the client reconnects, with a new session if necessary. */
    public void clear() {
        obstacles--;
        if (obstacles > 0 || isOver) {
            return;
        }
        generation++;
        if (isNoticed || isExpired) {
            int now = generation;
            if (!isNoticed) {
                // a paused process continues for a moment before learning that its session has expired
                timetable.in(timetable.random().nextInt(50_000_000), () -> {
                    if (now == generation && !isOver) {
                        clients.forEach(MemoryCluster.Client::disconnect);
                        isNoticed = true;
                    }
                });
            }
            timetable.in(50_000_000 + timetable.random().nextInt(200_000_000), () -> {
                if (now == generation && !isOver) {
                    isNoticed = false;
                    isExpired = false;
                    clients.forEach(client -> client.hang(false));
                    clients.forEach(MemoryCluster.Client::reconnect);
                }
            });
        } else {
            clients.forEach(client -> client.hang(false));
        }
    }

    /** Returns whether requests of the process do not reach ZooKeeper at present. */
    public boolean isObstructed() {
        return obstacles > 0 || isNoticed || isExpired;
    }

    /** Expires the session in ZooKeeper; the client reconnects with a new session. */
    public void expire() {
        if (isOver) {
            return;
        }
        clients.forEach(MemoryCluster.Client::expire);
        obstruct(true, false);
        isExpired = true;
        clear();
    }

    /** Ends the process in order, and withdraws its announcements if possible. */
    void close() {
        if (obstacles == 0 && !isNoticed && !isExpired && client() instanceof MemoryCluster.Node) {
            isOver = true;
            clients.forEach(client -> ((MemoryCluster.Node) client).close());
        } else {
            die();
        }
    }

    /** Ends the process abruptly; ZooKeeper notices later. */
    void die() {
        isOver = true;
        clients.forEach(MemoryCluster.Client::die);
        if (!isExpired) {
            timetable.in(timeoutNs, () -> clients.forEach(MemoryCluster.Client::expire));
        } else {
            clients.forEach(MemoryCluster.Client::expire);
        }
    }
}
