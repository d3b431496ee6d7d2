package io.chimera.common.cluster;

/**
 * How far a copy of the control state reaches. Two copies of one history are ordered by it.
 *
 * @param history name of the history of cycles; empty in trees of earlier releases
 * @param low number of the last cycle of the verified prefix
 * @param newest number of the newest cycle that had begun; 0 before the first
 */
public record ControlMark(String history, long low, long newest) {
    /** No copy, or one of a history in which no cycle had begun. */
    public static final ControlMark NONE = new ControlMark("", 0, 0);

    /** How ZooKeeper's tree relates to a copy. */
    public enum Standing {
        /** The tree continues what the copy says. */
        CURRENT,
        /** The tree lacks cycles that the copy names. */
        BEHIND,
        /** The tree has another history. */
        FOREIGN
    }

    /** The mark of a state; {@link #NONE} before the first cycle. */
    public static ControlMark of(String history, long low, long newest) {
        return newest == 0 ? NONE : new ControlMark(history, low, newest);
    }

    /** Whether no cycle had begun, so that nothing can be lost with the tree. */
    public boolean isEmpty() {
        return newest == 0;
    }

    /** Relates a tree, as a view shows it, to the copy. */
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
