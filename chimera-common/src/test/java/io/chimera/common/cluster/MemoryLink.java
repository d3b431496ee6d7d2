package io.chimera.common.cluster;

/** A way to the store in memory, be it of a node or of a coordinator. All that it does is under the lock of the store. */
abstract class MemoryLink implements MemoryCluster.Client {
    private final MemoryCluster cluster;
    final MemorySight sight = new MemorySight();
    boolean connected = true;
    boolean closed;

    /** Nothing passes, but nobody has noticed yet. */
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

    /** Whether something was asked for that has not taken effect. */
    abstract boolean hasWrites();

    /** Lets what was asked for take effect. */
    abstract void write();

    /** What stands was shown, or the connection broke. */
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
