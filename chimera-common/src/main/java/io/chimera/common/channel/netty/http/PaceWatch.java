package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.Listeners.Pace;
import io.chimera.common.channel.netty.socket.Later;
import io.netty.channel.Channel;

/**
 * Measures the arrival rate of a request, on the event loop of its connection. Time is counted in executed checks, so a
 * delay of the event loop itself ends no request.
 */
final class PaceWatch {
    /** Number of checks per period. */
    private static final int LOOKS = 4;

    private static final long MS_PER_SECOND = 1_000;

    /** Expected input of the connection. */
    enum Phase {
        /** No input, or the node itself is slow. */
        NONE,
        /** Headers of a request. */
        HEADERS,
        /** Body of a request. */
        BODY
    }

    /** Watched connection. */
    interface Watched {
        /** Currently expected input. */
        Phase phase();

        /** Reports a request that is too slow. */
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

    /** Counts received bytes of a body. */
    void received(int bytes) {
        periodBytes += bytes;
        lookBytes += bytes;
    }

    /** Resets the watch for the next request. */
    void restart() {
        phase = Phase.NONE;
        isSlow = false;
    }

    /** Returns whether the last check found the request too slow. Any thread. */
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
            isSlow = true; // headers fit into one packet or a few packets
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
