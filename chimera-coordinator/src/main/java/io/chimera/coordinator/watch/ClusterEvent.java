package io.chimera.coordinator.watch;

import java.util.List;

/**
 * A change of the cluster for the coordinator's log: event, node and affected work.
 *
 * @param kind of the event
 * @param node the node; {@link NodeName#NONE} for an event without a single node
 * @param cycles cycles whose assignment names the node; for an event without a single node the affected cycles
 * @param parts number of affected parts
 * @param shards number of affected uncommitted shards
 * @param facts further facts as {@code key=value}, or a sentence; may be empty
 */
public record ClusterEvent(Kind kind, NodeName node, List<Long> cycles, int parts, int shards, String facts) {
    /** Kinds of events. */
    public enum Kind {
        /** A node announced its session. */
        JOINED(false, "Node joined"),
        /** A node announced its drain and gets no new work. */
        DRAINING(false, "Node drains"),
        /** A node ended after a drain. */
        LEFT(false, "Node left"),
        /** The session of a node ended without a drain. */
        DIED(true, "Node died or stopped without a drain"),
        /** Work of a node moved to other nodes. */
        REASSIGNED(true, "Reassigned work"),
        /** A live node has had no channel to the other tier for a long time. */
        UNREACHABLE(true, "Live node has no channel to the other nodes"),
        /** An unreachable node has a channel again. */
        REACHABLE(false, "Node is reachable again"),
        /** No cycle has begun for some time, or an open cycle has not ended. */
        STANDSTILL(true, "Standstill"),
        /** Cycles begin and end again. */
        STANDSTILL_OVER(false, "Standstill is over");

        private final boolean isWarning;
        private final String title;

        Kind(boolean isWarning, String title) {
            this.isWarning = isWarning;
            this.title = title;
        }

        boolean isWarning() {
            return isWarning;
        }
    }

    /** Copies the cycles. */
    public ClusterEvent {
        cycles = List.copyOf(cycles);
    }

    /** Returns the log line. */
    public String line() {
        StringBuilder line = new StringBuilder(kind.title).append(':');
        boolean isOfNode = !node.equals(NodeName.NONE);
        if (isOfNode) {
            line.append(" role=").append(node.role()).append(" node=").append(node.id());
        }
        line.append(" cycles=").append(cycles);
        if (isOfNode) {
            line.append(" parts=").append(parts).append(" shards=").append(shards);
        }
        if (!facts.isEmpty()) {
            line.append(' ').append(facts);
        }
        return line.append('.').toString();
    }
}
