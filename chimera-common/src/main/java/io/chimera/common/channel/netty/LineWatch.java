package io.chimera.common.channel.netty;

import io.chimera.common.channel.Listeners.Pace;
import io.netty.channel.Channel;

/**
 * Notices, on the event loop of its connection, a line or message that stays unfinished. Time is counted in looks that
 * took place, so that an event loop which is late itself ends nobody's connection.
 */
final class LineWatch {
    /** Looks in a period. */
    private static final int LOOKS = 4;

    private final Channel channel;
    private final long lineMs;
    private final long lookMs;
    private final Watched watched;
    private long consumed;
    private long stuckMs;
    private volatile boolean isSlow;

    /** The connection that is watched. */
    interface Watched {
        /** Bytes of whole lines so far. */
        long consumed();

        /** Whether a part of a line is here. */
        boolean isUnfinished();

        /** Whether nothing can be consumed at present through no fault of the client. */
        boolean isExcused();

        /** The line did not end in time. */
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

    /** Whether an unfinished line, or no line at all, was here at the last two looks. Any thread. */
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
