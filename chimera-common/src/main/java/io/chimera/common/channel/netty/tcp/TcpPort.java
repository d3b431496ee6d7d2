package io.chimera.common.channel.netty.tcp;

import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.channel.netty.share.ClientShares;
import io.chimera.common.channel.netty.share.SlowRequests;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/** Shared state of the connections of one TCP listener. */
public final class TcpPort {
    /** Maximum length of one read of the socket. */
    public static final int READ_BYTES_MAX = 64 << 10;

    /**
     * Maximum number of consecutive reads while the socket is full. Their bytes, at most 1 MiB, are forwarded together,
     * because long lines with few consumed bytes would otherwise make many small batches. Other connections of the
     * event loop wait less than a millisecond.
     */
    public static final int READS_MAX = 16;

    final Supplier<StreamHandler> handlers;
    final Limits limits;
    final Counters<ChannelCounter> counters;
    final ErrorHandler errors;
    final AtomicInteger connections = new AtomicInteger();
    final SlowRequests slow = new SlowRequests();
    final ClientShares shares;

    public TcpPort(
            Supplier<StreamHandler> handlers, Limits limits, Counters<ChannelCounter> counters, ErrorHandler errors) {
        this.handlers = handlers;
        this.limits = limits;
        this.counters = counters;
        this.errors = errors;
        shares = new ClientShares(limits.clientConnectionsMax(), limits.clientBytesMax());
    }

    /** Adds the handler of an accepted connection. */
    public void accept(Channel channel) {
        channel.pipeline().addLast(new TcpConnection(this, channel));
    }
}
