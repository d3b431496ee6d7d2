package io.chimera.coordinator;

import java.util.List;

/**
 * A change of the cluster for the coordinator's log: event, node, and the work that it concerns.
 *
 * @param kind of the event
 * @param role {@code queue} or {@code processor}; empty for an event of no single node
 * @param node id of the node, or its session in hex when the id is not known; empty for an event of no single node
 * @param cycles cycles that name the node; for an event of no single node the cycles concerned
 * @param parts number of parts concerned
 * @param shards number of uncommitted shards concerned
 * @param facts further facts as {@code key=value}, or a sentence; may be empty
 */
record ClusterEvent(Kind kind, String role, String node, List<Long> cycles, int parts, int shards, String facts) {
    /** Kinds of events. */
    enum Kind {
        /** A node announced itself. */
        JOINED(false, "Node joined"),
        /** A node asked to leave and gets no new work. */
        DRAINING(false, "Node drains"),
        /** A node that had asked to leave is gone. */
        LEFT(false, "Node left"),
        /** The session of a node ended without a request to leave. */
        DIED(true, "Node died or stopped without a drain"),
        /** Work of a node went to other nodes. */
        REASSIGNED(true, "Reassigned work"),
        /** A live node has had no channel to the other tier for long. */
        UNREACHABLE(true, "Live node has no channel to the other nodes"),
        /** A node that was reported as unreachable has a channel again. */
        REACHABLE(false, "Node is reachable again"),
        /** For some time no cycle has begun, or an open cycle has not ended. */
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

    /** Takes an unmodifiable copy. */
    ClusterEvent {
        cycles = List.copyOf(cycles);
    }

    /** Returns the log line. */
    String line() {
        StringBuilder line = new StringBuilder(kind.title).append(':');
        if (!node.isEmpty()) {
            line.append(" role=").append(role).append(" node=").append(node);
        }
        line.append(" cycles=").append(cycles);
        if (!node.isEmpty()) {
            line.append(" parts=").append(parts).append(" shards=").append(shards);
        }
        if (!facts.isEmpty()) {
            line.append(' ').append(facts);
        }
        return line.append('.').toString();
    }
}
