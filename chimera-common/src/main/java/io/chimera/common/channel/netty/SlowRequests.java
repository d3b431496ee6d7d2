package io.chimera.common.channel.netty;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The connections of one HTTP listener, in the order in which each began to wait for its present request. When memory for
 * bodies or connections run out, the oldest slow requests make room. Any thread.
 */
final class SlowRequests {
    private final Set<HttpConnection> reading = new LinkedHashSet<>();

    /** A connection begins to wait for a request. */
    synchronized void add(HttpConnection connection) {
        reading.remove(connection);
        reading.add(connection);
    }

    /** A connection waits for no request any more. */
    synchronized void remove(HttpConnection connection) {
        reading.remove(connection);
    }

    /** Ends the oldest slow request, so that another connection can be served; false when none is slow. */
    boolean evictConnection() {
        return evict(false);
    }

    /** Ends the oldest slow request that holds a part of its body; false when there is none. */
    boolean evictBody() {
        return evict(true);
    }

    private boolean evict(boolean mustHoldBody) {
        HttpConnection victim = null;
        synchronized (this) {
            for (HttpConnection connection : reading) {
                if (connection.isSlow() && (!mustHoldBody || connection.holdsBody())) {
                    victim = connection;
                    break;
                }
            }
            if (victim != null) {
                reading.remove(victim);
            }
        }
        if (victim != null) {
            victim.evict();
        }
        return victim != null;
    }
}
