package io.chimera.common.channel.netty;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stop state of the listeners: whether the stop has begun, and the number of unanswered requests. Also the event that
 * tells a connection to finish. Any thread.
 */
final class Stopping {
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile boolean hasBegun;

    void begin() {
        hasBegun = true;
    }

    boolean hasBegun() {
        return hasBegun;
    }

    int unanswered() {
        return unanswered.get();
    }

    /** Counts a complete request. */
    void asked() {
        unanswered.incrementAndGet();
    }

    /** Counts a sent answer, or a request without a waiting client. */
    void answered() {
        unanswered.decrementAndGet();
    }
}
