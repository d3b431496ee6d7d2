package io.chimera.common.channel.netty.socket;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stop state of the listeners: whether the stop has begun, and the number of unanswered requests. Also the event that
 * tells a connection to finish. Any thread.
 */
public final class Stopping {
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile boolean hasBegun;

    public void begin() {
        hasBegun = true;
    }

    public boolean hasBegun() {
        return hasBegun;
    }

    public int unanswered() {
        return unanswered.get();
    }

    /** Counts a complete request. */
    public void asked() {
        unanswered.incrementAndGet();
    }

    /** Counts a sent answer, or a request without a waiting client. */
    public void answered() {
        unanswered.decrementAndGet();
    }
}
