package io.chimera.common.channel.netty.node;

import io.chimera.common.channel.CreditWindow;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicBoolean;

/** Receiving half of a connection: the credit of received frames, and their counters. */
final class FrameReceiver {
    private final Channel channel;
    private final CreditWindow credit;
    private final FrameSender sender;
    private final Counters<ChannelCounter> counters;
    private final AtomicBoolean returning = new AtomicBoolean();
    /** Whether the credit of the current frame is counted: a refused frame is passed again. */
    private boolean counted;

    private long frames;
    private long bytes;

    FrameReceiver(Channel channel, CreditWindow credit, FrameSender sender, Counters<ChannelCounter> counters) {
        this.channel = channel;
        this.credit = credit;
        this.sender = sender;
        this.counters = counters;
    }

    /** Counts processed bytes; returns true if {@link #returnCredit} must run on the event loop. Any thread. */
    boolean consume(int length) {
        return credit.consume(length) && !returning.getAndSet(true);
    }

    /**
     * Sends the credit of processed frames. Event loop.
     *
     * @throws IllegalStateException if the handler returned more than it got
     */
    void returnCredit() {
        returning.getAndSet(false);
        if (channel.isActive()) {
            int returned = credit.collect();
            if (returned > 0) {
                sender.control(ChannelFrame.credit(channel.alloc(), returned));
            }
        }
    }

    /**
     * Counts the credit of a frame before its handler, because the handler may return the credit during the call.
     *
     * @return false if the other end exceeded its credit
     */
    boolean receive(int length) {
        counted = counted || credit.receive(length);
        return counted;
    }

    /** Counts a frame accepted by the handler. Event loop. */
    void accepted(int length) {
        frames++;
        bytes += length;
        counted = false;
    }

    /** Publishes the counts since the last call. Event loop. */
    void publish() {
        if (frames > 0) {
            counters.add(ChannelCounter.FRAMES_RECEIVED, frames);
            counters.add(ChannelCounter.BYTES_RECEIVED, bytes);
            frames = 0;
            bytes = 0;
        }
    }
}
