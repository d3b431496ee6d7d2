package io.chimera.common.channel.netty;

import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/** Shared state of the connections of one TCP listener. */
final class TcpPort {
    final Supplier<StreamHandler> handlers;
    final Limits limits;
    final Counters<ChannelCounter> counters;
    final ErrorHandler errors;
    final AtomicInteger connections = new AtomicInteger();
    final SlowRequests slow = new SlowRequests();
    final ClientShares shares;

    TcpPort(Supplier<StreamHandler> handlers, Limits limits, Counters<ChannelCounter> counters, ErrorHandler errors) {
        this.handlers = handlers;
        this.limits = limits;
        this.counters = counters;
        this.errors = errors;
        shares = new ClientShares(limits.clientConnectionsMax(), limits.clientBytesMax());
    }
}
