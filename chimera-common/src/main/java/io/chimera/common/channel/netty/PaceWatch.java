package io.chimera.common.channel.netty;

import io.chimera.common.channel.Listeners.Pace;
import io.netty.channel.Channel;

/**
 * Measures, on the event loop of its connection, how fast a request arrives. Time is counted in looks that took place, so
 * that an event loop which is late itself ends nobody's request.
 */
final class PaceWatch {
    /** Looks in a period. */
    private static final int LOOKS = 4;

    private static final long MS_PER_SECOND = 1_000;

    /** What the connection waits for. */
    enum Phase {
        /** Nothing, or the node itself is slow. */
        NONE,
        /** The headers of a request. */
        HEADERS,
        /** The body of a request. */
        BODY
    }

    /** The connection that is watched. */
    interface Watched {
        /** What the connection waits for at present. */
        Phase phase();

        /** The request is too slow. */
        void onTooSlow(Phase phase);
    }

    private final Channel channel;
    private final Pace limits;
    private final Watched watched;
    private final long lookMs;
    private Phase phase = Phase.NONE;
    private long headersMs;
    private long bodyMs;
    private long periodBytes;
    private long lookBytes;
    private volatile boolean isSlow;

    PaceWatch(Channel channel, Pace limits, Watched watched) {
        this.channel = channel;
        this.limits = limits;
        this.watched = watched;
        lookMs = Math.max(1, Math.min(limits.periodMs(), limits.headersMs()) / LOOKS);
    }

    void start() {
        Later.run(channel, lookMs, this::look);
    }

    /** Bytes of a body arrived. */
    void received(int bytes) {
        periodBytes += bytes;
        lookBytes += bytes;
    }

    /** Another request begins. */
    void restart() {
        phase = Phase.NONE;
        isSlow = false;
    }

    /** Whether the request was too slow at the last look. Any thread. */
    boolean isSlow() {
        return isSlow;
    }

    private void look() {
        Phase now = watched.phase();
        if (now != phase) {
            phase = now;
            headersMs = 0;
            bodyMs = 0;
            periodBytes = 0;
            isSlow = false;
        } else if (now == Phase.HEADERS) {
            isSlow = true; // headers fit into one packet or a few
            headersMs += lookMs;
            if (headersMs >= limits.headersMs()) {
                watched.onTooSlow(now);
            }
        } else if (now == Phase.BODY) {
            isSlow = lookBytes * MS_PER_SECOND < limits.bytesPerSecondMin() * lookMs;
            bodyMs += lookMs;
            if (bodyMs >= limits.periodMs()) {
                if (periodBytes * MS_PER_SECOND < limits.bytesPerSecondMin() * bodyMs) {
                    watched.onTooSlow(now);
                }
                bodyMs = 0;
                periodBytes = 0;
            }
        }
        lookBytes = 0;
        start();
    }
}
