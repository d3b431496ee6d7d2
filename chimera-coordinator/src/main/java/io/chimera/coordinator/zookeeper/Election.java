package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coordinator's part in the election. A new leader raises the epoch before any other write, so that ZooKeeper refuses
 * pending writes of an earlier leader.
 *
 * <pre>
 * from     event                                          to
 * NEW      the first link is live                         IDLE, in the election
 * IDLE     elected, without an epoch                      RAISING
 * RAISING  the epoch was raised                           IDLE, with an epoch
 * RAISING  the request failed, or the link broke          IDLE, retried later
 * </pre>
 *
 * <p>Used by the agent's thread, except {@link #epoch}, {@link #forget} and {@link #close}.
 */
final class Election implements ZnodeReconciler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Election.class);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Candidacy candidacy;
    private final String id;
    private volatile int epoch;
    private volatile boolean isClosed;
    private State state = State.NEW;
    private long notBeforeNs;
    private long nowNs;

    /** State of the participation. */
    private enum State {
        /** The election was not joined yet. */
        NEW,
        /** Joined, and no request is pending. */
        IDLE,
        /** Elected, and the new epoch is requested. */
        RAISING
    }

    Election(Candidacy candidacy, String id) {
        this.candidacy = candidacy;
        this.id = id;
    }

    /** Returns the epoch of this coordinator's term; 0 while it does not lead, or not yet. */
    int epoch() {
        return candidacy.hasLeadership() ? epoch : 0;
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
        if (isClosed) {
            return 0;
        }
        if (state == State.NEW) {
            state = State.IDLE;
            start(); // only after the folder exists: Curator would create a container, which ZooKeeper deletes again
            return 1;
        }
        if (state == State.IDLE && candidacy.hasLeadership() && epoch == 0 && now - notBeforeNs >= 0) {
            state = State.RAISING;
            takeLead(link);
            return 1;
        }
        return 0;
    }

    @Override
    public void onLinkBroken() {
        if (state == State.RAISING) {
            state = State.IDLE;
        }
    }

    private void start() {
        try {
            candidacy.start();
        } catch (Exception e) {
            throw new ChimeraException(Category.FATAL, "This coordinator cannot take part in the election", e);
        }
    }

    private void takeLead(ZooKeeperLink link) {
        link.read(link.znodes().epoch(), (code, data, stat) -> {
            if (code == Code.OK) {
                raise(link, stat.getVersion());
            } else {
                retry(code);
            }
        });
    }

    private void raise(ZooKeeperLink link, int from) {
        link.write(link.znodes().epoch(), ZnodeCodec.conductor(id), from, (code, stat) -> {
            if (code == Code.OK) {
                state = State.IDLE;
                epoch = stat.getVersion();
            } else {
                retry(code);
            }
        });
    }

    private void retry(Code code) {
        state = State.IDLE;
        notBeforeNs = nowNs + RETRY_NS;
        LOG.debug("Raising the epoch failed and is retried: {}.", code);
    }

    @Override
    public void close() {
        isClosed = true;
        candidacy.close();
    }
}
