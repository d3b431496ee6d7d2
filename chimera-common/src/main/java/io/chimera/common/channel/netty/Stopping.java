package io.chimera.common.channel.netty;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether listeners have stopped, and how many requests are still to be answered before they may close. As an event it
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

    /** A request came whole. */
    void asked() {
        unanswered.incrementAndGet();
    }

    /** Its answer has left, or nobody waits for it any more. */
    void answered() {
        unanswered.decrementAndGet();
    }
}
