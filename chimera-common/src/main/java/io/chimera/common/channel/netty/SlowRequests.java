package io.chimera.common.channel.netty;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The connections of one listener that wait for their client, in the order in which each began to wait. When memory for
 * bodies or connections run out, the oldest slow connections make room. Any thread.
 */
final class SlowRequests {
    private final Set<Waiting> waiting = new LinkedHashSet<>();

    /** A connection that waits for its client. */
    interface Waiting {
        /** Address of the client, as {@link ClientShares} counts it. */
        Object client();

        /** Whether the client is slow at present. Any thread. */
        boolean isSlow();

        /** Whether a part of a body is in memory. Any thread. */
        boolean holdsBody();

        /** Ends the connection, so that others can be served. Any thread. */
        void evict();
    }

    /** A connection begins to wait for a request. */
    synchronized void add(Waiting connection) {
        waiting.remove(connection);
        waiting.add(connection);
    }

    /** A connection waits for no request any more. */
    synchronized void remove(Waiting connection) {
        waiting.remove(connection);
    }

    /** Ends the oldest slow connection, so that another can be served; false when none is slow. */
    boolean evictConnection() {
        return evict(slow -> true);
    }

    /** Ends the oldest slow connection of a client; false when none is slow. */
    boolean evictConnection(Object client) {
        return evict(slow -> slow.client().equals(client));
    }

    /** Ends the oldest slow request that holds a part of its body; false when there is none. */
    boolean evictBody() {
        return evict(Waiting::holdsBody);
    }

    /** Ends the oldest slow request of a client that holds a part of its body; false when there is none. */
    boolean evictBody(Object client) {
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
