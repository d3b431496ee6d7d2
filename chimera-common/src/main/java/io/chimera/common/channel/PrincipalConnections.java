package io.chimera.common.channel;

import java.util.HashMap;
import java.util.Map;

/** Counts the open connections of each principal to all ports of a node. Any thread. */
public final class PrincipalConnections {
    private final Map<String, Integer> open = new HashMap<>();

    /** Creates an empty count. */
    public PrincipalConnections() {}

    /**
     * Counts a connection until {@link #leave}.
     *
     * @param connectionsMax maximum number of the principal's open connections; 0: no limit
     * @return false if the principal has reached the maximum; the connection is then not counted
     */
    public synchronized boolean enter(String principal, int connectionsMax) {
        int now = open.getOrDefault(principal, 0);
        if (connectionsMax > 0 && now >= connectionsMax) {
            return false;
        }
        open.put(principal, now + 1);
        return true;
    }

    /** Ends a counted connection. */
    public synchronized void leave(String principal) {
        open.computeIfPresent(principal, (name, count) -> count == 1 ? null : count - 1);
    }

    /** Number of open connections of a principal. */
    public synchronized int of(String principal) {
        return open.getOrDefault(principal, 0);
    }
}
