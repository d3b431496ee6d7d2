package io.chimera.common.channel.netty.tcp;

import io.chimera.common.channel.Listeners.Pace;
import io.chimera.common.channel.netty.socket.Later;
import io.netty.channel.Channel;

/**
 * Detects a line or message that stays incomplete, on the event loop of its connection. Time is counted in executed
 * checks, so a delay of the event loop itself ends no connection.
 */
final class LineWatch {
    /** Number of checks per period. */
    private static final int LOOKS = 4;

    private final Channel channel;
    private final long lineMs;
    private final long lookMs;
    private final Watched watched;
    private long consumed;
    private long stuckMs;
    private volatile boolean isSlow;

    /** Watched connection. */
    interface Watched {
        /** Number of consumed bytes of complete lines. */
        long consumed();

        /** Returns whether an incomplete line is buffered. */
        boolean isUnfinished();

        /** Returns whether the current lack of progress is not the fault of the client. */
        boolean isExcused();

        /** Reports an exceeded time limit of a line. */
        void onTooSlow();
    }

    LineWatch(Channel channel, Pace pace, Watched watched) {
        this.channel = channel;
        this.watched = watched;
        lineMs = pace.lineMs();
        lookMs = Math.max(1, Math.min(pace.periodMs(), lineMs) / LOOKS);
    }

    void start() {
        Later.run(channel, lookMs, this::look);
    }

    /**
     * Returns whether the last two checks found an incomplete line, or no line since the begin of the connection. Any
     * thread.
     */
    boolean isSlow() {
        return isSlow;
    }

    private void look() {
        boolean hasStopped = watched.consumed() == consumed && !watched.isExcused();
        consumed = watched.consumed();
        boolean isUnfinished = hasStopped && watched.isUnfinished();
        isSlow = isUnfinished || (hasStopped && consumed == 0);
        stuckMs = isUnfinished ? stuckMs + lookMs : 0;
        if (stuckMs >= lineMs) {
            watched.onTooSlow();
        } else {
            start();
        }
    }
}
