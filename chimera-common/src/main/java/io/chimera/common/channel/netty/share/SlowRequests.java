package io.chimera.common.channel.netty.share;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Connections of one listener currently waiting for their client, in order of the begin of the wait. When body memory
 * or connections run out, the oldest slow connection is evicted. Any thread.
 */
public final class SlowRequests {
    private final Set<Waiting> waiting = new LinkedHashSet<>();

    /** Connection waiting for its client. */
    public interface Waiting {
        /** Address of the client, as counted by {@link ClientShares}. */
        Object client();

        /** Returns whether the client is currently slow. Any thread. */
        boolean isSlow();

        /** Returns whether a part of a body is in memory. Any thread. */
        boolean holdsBody();

        /** Ends the connection to serve other clients. Any thread. */
        void evict();
    }

    /** Adds a connection at the begin of its wait for a request. */
    public synchronized void add(Waiting connection) {
        waiting.remove(connection);
        waiting.add(connection);
    }

    /** Removes a connection at the end of its wait. */
    public synchronized void remove(Waiting connection) {
        waiting.remove(connection);
    }

    /** Evicts the oldest slow connection; returns false if no connection is slow. */
    boolean evictConnection() {
        return evict(slow -> true);
    }

    /** Evicts the oldest slow connection of a client; returns false if no connection of the client is slow. */
    boolean evictConnection(Object client) {
        return evict(slow -> slow.client().equals(client));
    }

    /** Evicts the oldest slow request with a partial body; returns false if there is no such request. */
    public boolean evictBody() {
        return evict(Waiting::holdsBody);
    }

    /** Evicts a client's oldest slow request with a partial body; returns false if there is no such request. */
    public boolean evictBody(Object client) {
        return evict(slow -> slow.holdsBody() && slow.client().equals(client));
    }

    private boolean evict(Predicate<Waiting> isEligible) {
        Waiting victim = null;
        synchronized (this) {
            for (Waiting connection : waiting) {
                if (connection.isSlow() && isEligible.test(connection)) {
                    victim = connection;
                    break;
                }
            }
            if (victim != null) {
                waiting.remove(victim);
            }
        }
        if (victim != null) {
            victim.evict();
        }
        return victim != null;
    }
}
