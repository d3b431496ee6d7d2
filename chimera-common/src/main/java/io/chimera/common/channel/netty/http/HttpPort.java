package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.netty.share.ClientShares;
import io.chimera.common.channel.netty.share.SlowRequests;
import io.chimera.common.channel.netty.socket.Stopping;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.ErrorHandler;

/** Shared state of the connections of one HTTP listener. */
public final class HttpPort {
    /** Maximum length of method, target and version: 8 KiB, as in most servers. */
    static final int LINE_LENGTH_MAX = 8 << 10;

    /** Maximum length of all headers: 16 KiB, enough for the tokens of any gateway. */
    static final int HEADERS_LENGTH_MAX = 16 << 10;

    /**
     * Maximum length of one read of the socket; also the maximum of buffered pipelined requests, because of the
     * decoder's gate.
     */
    public static final int READ_BYTES_MAX = 64 << 10;

    /** Length without a ratio check: this amount is harmless, and short repeated lines compress very well. */
    public static final int RATIO_FREE_BYTES = 64 << 10;

    final HttpHandler handler;
    final Limits limits;
    final BodyPool pool;
    final Counters<ChannelCounter> counters;
    final ErrorHandler errors;
    final Stopping stopping;
    final SlowRequests slow = new SlowRequests();
    final AtomicInteger connections = new AtomicInteger();

    /** Refused connections kept open briefly, so the client can read the reason. */
    final AtomicInteger lingering = new AtomicInteger();

    final ClientShares shares;
    private final Map<EventLoop, DeferredRequests> deferred = new ConcurrentHashMap<>();

    public HttpPort(
            HttpHandler handler,
            Limits limits,
            Counters<ChannelCounter> counters,
            ErrorHandler errors,
            Stopping stopping) {
        this.handler = handler;
        this.limits = limits;
        this.counters = counters;
        this.errors = errors;
        this.stopping = stopping;
        shares = new ClientShares(limits.clientConnectionsMax(), limits.clientBytesMax());
        pool = new BodyPool(limits.bodyBytesMax(), limits.inFlightBytesMax());
    }

    /** Adds the handlers of an accepted connection. */
    public void accept(Channel channel) {
        RequestDecoder decoder = new RequestDecoder();
        channel.pipeline().addLast(decoder, new HttpResponseEncoder(), new HttpConnection(this, channel, decoder));
    }

    /** Deferred requests of an event loop. */
    DeferredRequests deferred(EventLoop loop) {
        return deferred.computeIfAbsent(loop, DeferredRequests::new);
    }

    void countAnswer(int status) {
        counters.increment(
                status >= 500
                        ? ChannelCounter.HTTP_ANSWERS_5XX
                        : status >= 400 ? ChannelCounter.HTTP_ANSWERS_4XX : ChannelCounter.HTTP_ANSWERS_GOOD);
    }
}
