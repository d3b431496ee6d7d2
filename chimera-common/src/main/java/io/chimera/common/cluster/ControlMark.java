package io.chimera.common.cluster;

import java.util.concurrent.TimeUnit;

/**
 * Position of a copy of the control state. Copies of the same history are ordered by this position.
 *
 * @param history name of the history of cycles; empty in trees of earlier releases
 * @param low number of the last cycle of the verified prefix
 * @param newest number of the newest begun cycle; 0 before the first
 */
public record ControlMark(String history, long low, long newest) {
    /** Mark without a copy, or of a copy without cycles. */
    public static final ControlMark NONE = new ControlMark("", 0, 0);

    /**
     * Time for a view to catch up with the tree before the tree counts as lost. A ZooKeeper server that lags, and the
     * reads of a new view, show an older tree meanwhile.
     */
    public static final long LAG_NS_MAX = TimeUnit.SECONDS.toNanos(2);

    /** Relation of ZooKeeper's tree to a copy. */
    public enum Standing {
        /** The tree is at or after the copy. */
        CURRENT,
        /** The tree lacks cycles of the copy. */
        BEHIND,
        /** The tree has another history. */
        FOREIGN
    }

    /** Returns the mark of a state; {@link #NONE} before the first cycle. */
    public static ControlMark of(String history, long low, long newest) {
        return newest == 0 ? NONE : new ControlMark(history, low, newest);
    }

    /** Returns whether no cycle had begun, so the loss of the tree loses nothing. */
    public boolean isEmpty() {
        return newest == 0;
    }

    /** Relates the tree of a view to the copy. */
    public Standing of(ClusterView view) {
        if (isEmpty()) {
            return Standing.CURRENT;
        }
        if (!history.isEmpty() && !history.equals(view.low().history())) {
            return Standing.FOREIGN;
        }
        return view.low().cycle() < low || view.newest() < newest ? Standing.BEHIND : Standing.CURRENT;
    }
}
