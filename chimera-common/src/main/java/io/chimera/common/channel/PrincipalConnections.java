package io.chimera.common.channel;

import java.util.HashMap;
import java.util.Map;

/** Open connections of each principal to all ports of a node. Any thread. */
public final class PrincipalConnections {
    private final Map<String, Integer> open = new HashMap<>();

    /** Nobody has a connection yet. */
    public PrincipalConnections() {}

    /**
     * Counts a connection, until {@link #leave}.
     *
     * @param connectionsMax connections that the principal may have open; 0: no limit
     * @return false when the principal has as many: the connection is not counted
     */
    public synchronized boolean enter(String principal, int connectionsMax) {
        int now = open.getOrDefault(principal, 0);
        if (connectionsMax > 0 && now >= connectionsMax) {
            return false;
        }
        open.put(principal, now + 1);
        return true;
    }

    /** Ends a connection that was counted. */
    public synchronized void leave(String principal) {
        open.computeIfPresent(principal, (name, count) -> count == 1 ? null : count - 1);
    }

    /** Connections that a principal has open. */
    public synchronized int of(String principal) {
        return open.getOrDefault(principal, 0);
    }
}
