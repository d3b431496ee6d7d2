package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coordinator's part in the election. A new leader raises the epoch before any other write, so that ZooKeeper refuses
 * pending writes of an earlier leader. Used by the agent's thread, except {@link #epoch} and {@link #forget}.
 */
final class Election implements ZnodeReconciler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Election.class);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final LeaderLatch latch;
    private final String id;
    private volatile int epoch;
    private boolean started;
    private volatile boolean closed;
    private boolean busy;
    private long notBeforeNs;
    private long nowNs;

    Election(CuratorFramework client, Znodes znodes, String id) {
        this.id = id;
        latch = new LeaderLatch(client, znodes.conductor(), id);
    }

    /** Returns the epoch of this coordinator's term; 0 while it does not lead, or not yet. */
    int epoch() {
        return latch.hasLeadership() ? epoch : 0;
    }

    /**
     * Ends the term after a write showed that the epoch is over; the lead is taken again if the election still permits.
     */
    void forget() {
        epoch = 0;
    }

    @Override
    public int reconcile(ZooKeeperLink link, ClusterView view, long now) {
        nowNs = now;
        if (closed) {
            return 0;
        }
        if (!started) {
            started = true;
            start(); // only after the folder exists: Curator would create a container, which ZooKeeper deletes again
            return 1;
        }
        if (latch.hasLeadership() && epoch == 0 && !busy && now - notBeforeNs >= 0) {
            busy = true;
            takeLead(link);
            return 1;
        }
        return 0;
    }

    @Override
    public void onLinkBroken() {
        busy = false;
    }

    private void start() {
        try {
            latch.start();
        } catch (Exception e) {
            throw new ChimeraException(Category.FATAL, "This coordinator cannot take part in the election", e);
        }
    }

    private void takeLead(ZooKeeperLink link) {
        String path = link.znodes().epoch();
        link.zooKeeper()
                .getData(
                        path,
                        false,
                        (rc, asked, context, data, stat) -> link.reply(() -> {
                            if (rc == Code.OK.intValue()) {
                                raise(link, path, stat.getVersion());
                            } else {
                                retry(rc);
                            }
                        }),
                        null);
    }

    private void raise(ZooKeeperLink link, String path, int from) {
        link.zooKeeper()
                .setData(
                        path,
                        ZnodeCodec.conductor(id),
                        from,
                        (rc, asked, context, stat) -> link.reply(() -> {
                            if (rc == Code.OK.intValue()) {
                                busy = false;
                                epoch = stat.getVersion();
                            } else {
                                retry(rc);
                            }
                        }),
                        null);
    }

    private void retry(int rc) {
        busy = false;
        notBeforeNs = nowNs + RETRY_NS;
        LOG.debug("Raising the epoch failed and is retried: {}.", Code.get(rc));
    }

    @Override
    public void close() {
        closed = true;
        if (latch.getState() == LeaderLatch.State.STARTED) {
            CloseHelper.quietClose(latch);
        }
    }
}
