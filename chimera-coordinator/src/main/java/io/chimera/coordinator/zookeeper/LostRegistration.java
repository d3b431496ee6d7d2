package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ControlMark;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Wait before a member believes that the tree has lost its registration. A ZooKeeper server that lags, or a view that
 * is still being read, may show a tree from before the removal of the member. Used by the agent's thread only.
 */
final class LostRegistration {
    /**
     * Stage of the wait.
     *
     * <pre>
     * from       event                                                              to
     * NOT_LOST   a view shows a tree that has lost the registration                 SYNCING
     * SYNCING    the server has caught up with the writes before the request        SYNCED
     * SYNCING    the request failed                                                 NOT_LOST
     * SYNCED     the next look at the tree                                          WAITING
     * WAITING    {@link ControlMark#LAG_NS_MAX} later, views still show such a tree CERTAIN
     * any        the registration exists, a view forbids a new one, or the link
     *            has broken                                                         NOT_LOST
     * </pre>
     */
    private enum Stage {
        NOT_LOST,
        SYNCING,
        SYNCED,
        WAITING,
        CERTAIN
    }

    private Stage stage = Stage.NOT_LOST;
    private long sinceNs;

    /**
     * Takes note of a view whose tree has lost the registration.
     *
     * @param sync requests that the server catches up; the reply is passed to {@link #onSync}
     * @return whether the loss is certain, so that the member may register again
     */
    boolean look(long nowNs, Runnable sync) {
        if (stage == Stage.NOT_LOST) {
            stage = Stage.SYNCING;
            sync.run();
        } else if (stage == Stage.SYNCED) {
            stage = Stage.WAITING;
            sinceNs = nowNs;
        } else if (stage == Stage.WAITING && nowNs - sinceNs >= ControlMark.LAG_NS_MAX) {
            stage = Stage.CERTAIN;
        }
        return stage == Stage.CERTAIN;
    }

    /** Takes the reply of the server. */
    void onSync(Code code) {
        if (stage == Stage.SYNCING) {
            stage = code == Code.OK ? Stage.SYNCED : Stage.NOT_LOST;
        }
    }

    /** Begins again: the registration is not lost, or a new link shows the tree of another server. */
    void reset() {
        stage = Stage.NOT_LOST;
    }
}
