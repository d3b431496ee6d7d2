package io.chimera.common.channel.netty.node;

import io.chimera.common.channel.netty.socket.Later;
import io.netty.channel.Channel;

/**
 * Sends pings and detects a silent peer, on the event loop of the connection. Time is counted in executed checks, so a
 * delay of the event loop itself ends no connection. Netty's IdleStateHandler measures with a clock and allocates a
 * promise for every written frame.
 */
public final class PeerWatch {
    /** Time limits in milliseconds: ping interval, silence of a peer, and first frame of a peer. */
    public record Timing(long pingMs, long silenceMs, long startMs) {
        /**
         * Default limits. A peer pings every second; a silence of ten seconds means a stopped, unreachable or
         * overloaded peer.
         */
        public static final Timing DEFAULT = new Timing(1_000, 10_000, 3_000);
    }

    /** Watched connection. */
    interface Watched {
        ConnectionState state();

        /** Reports a peer without a START frame. */
        void onNoStart();

        /** Reports a peer without any frame. */
        void onSilence(long silentMs);
    }

    private final Channel channel;
    private final FrameSender sender;
    private final Timing timing;
    private final Watched watched;
    private long silentMs;

    PeerWatch(Channel channel, FrameSender sender, Timing timing, Watched watched) {
        this.channel = channel;
        this.sender = sender;
        this.timing = timing;
        this.watched = watched;
    }

    void start() {
        Later.run(channel, timing.pingMs(), this::look);
    }

    /** Records input of the peer. */
    void heard() {
        silentMs = 0;
    }

    private void look() {
        ConnectionState state = watched.state();
        silentMs = state == ConnectionState.PAUSED ? 0 : silentMs + timing.pingMs();
        if (state == ConnectionState.STARTING && silentMs >= timing.startMs()) {
            watched.onNoStart();
        } else if (silentMs >= timing.silenceMs()) {
            watched.onSilence(silentMs);
        } else {
            if (!sender.wroteSinceLastCall() && channel.isWritable()) {
                sender.control(ChannelFrame.ping(channel.alloc()));
                sender.wroteSinceLastCall();
            }
            start();
        }
    }
}
