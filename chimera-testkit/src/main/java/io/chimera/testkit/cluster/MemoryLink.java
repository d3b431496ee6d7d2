package io.chimera.testkit.cluster;

import io.chimera.common.cluster.ClusterView;

/** Connection of a node or coordinator to the in-memory store. The lock of the store guards all operations. */
abstract class MemoryLink implements MemoryCluster.Client {
    private final MemoryCluster cluster;
    final MemorySight sight = new MemorySight();
    boolean connected = true;
    boolean closed;

    /** Whether the connection is silently blocked. */
    private boolean hangs;

    MemoryLink(MemoryCluster cluster) {
        this.cluster = cluster;
    }

    final boolean isReachable() {
        return connected && !hangs;
    }

    final boolean isBehind() {
        return sight.isBehind(cluster.revision());
    }

    /** Returns whether any request is pending. */
    abstract boolean hasWrites();

    /** Returns the part of a state that this client reads. */
    abstract ClusterView scoped(ClusterView state);

    /** Executes the pending requests. */
    abstract void write();

    /** Called after an update of the view and after the break of the connection. */
    abstract void seen();

    @Override
    public final ClusterView view() {
        return sight.view();
    }

    @Override
    public final void hang(boolean isHanging) {
        synchronized (cluster) {
            hangs = isHanging;
        }
    }

    @Override
    public final void disconnect() {
        synchronized (cluster) {
            connected = false;
            cluster.touch();
            sight.lose();
            seen();
        }
    }

    @Override
    public final void die() {
        synchronized (cluster) {
            connected = false;
            closed = true;
        }
    }

    @Override
    public final void reconnect() {
        synchronized (cluster) {
            connected = true;
            cluster.change();
        }
    }
}
