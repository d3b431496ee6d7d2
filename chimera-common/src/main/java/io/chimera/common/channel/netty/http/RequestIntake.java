package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.netty.share.ConnectionShare;
import io.chimera.common.metrics.ChannelCounter;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;

/** Collects the requests of one connection, one at a time, and checks their limits. On the event loop. */
final class RequestIntake implements AutoCloseable {
    /**
     * Properties of a request with an effect on its answer.
     *
     * @param isKeptAlive whether the client accepts further answers on the connection
     * @param isHttp10 whether the client has version 1.0, without chunks
     */
    record Style(boolean isKeptAlive, boolean isHttp10) {
        private static Style of(HttpRequest request) {
            return new Style(
                    HttpUtil.isKeepAlive(request), request.protocolVersion().equals(HttpVersion.HTTP_1_0));
        }
    }

    private final HttpConnection connection;
    private final HttpPort port;
    private final Channel channel;
    private final ConnectionShare share;
    private final RequestBody body;
    private HttpRequest head;
    private NettyExchange exchange;
    private Style style;
    private volatile boolean holdsBody;

    RequestIntake(HttpConnection connection, HttpPort port, Channel channel, ConnectionShare share) {
        this.connection = connection;
        this.port = port;
        this.channel = channel;
        this.share = share;
        body = new RequestBody(port.pool, port.limits, port.handler.encoding(), channel.alloc());
    }

    /** Begins a request; returns the refusal, or null. */
    RequestRefusal begin(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return RequestRefusal.undecodable(request.decoderResult().cause());
        }
        if (request.protocolVersion().majorVersion() != 1) {
            return RequestRefusal.version(request.protocolVersion().text());
        }
        long length;
        try {
            exchange = new NettyExchange(connection, request);
            length = HttpUtil.getContentLength(request, 0L);
        } catch (IllegalArgumentException e) {
            return RequestRefusal.malformed(
                    "Cannot decode the target or length of the request: " + e.getMessage() + ".");
        }
        head = request;
        style = Style.of(request);
        return length > port.limits.bodyBytesMax() ? RequestRefusal.bodyTooLong(port.limits.bodyBytesMax()) : null;
    }

    /** Begins the body of an admitted request; returns the refusal, or null. */
    RequestRefusal beginBody() {
        body.chargeTo(share.budget());
        RequestRefusal refusal = body.begin(encoding(head.headers()));
        return refusal == null ? expect() : refusal;
    }

    /**
     * Returns gzip for a body of type gzip without Content-Encoding, because KairosDB's own clients send such bodies.
     */
    private static String encoding(HttpHeaders headers) {
        String encoding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
        String type = encoding == null ? headers.get(HttpHeaderNames.CONTENT_TYPE) : null;
        return type != null && (isType(type, "application/gzip") || isType(type, "application/x-gzip"))
                ? "gzip"
                : encoding;
    }

    /** Returns whether a content type is the expected type, with or without parameters. */
    private static boolean isType(String type, String expected) {
        return type.regionMatches(true, 0, expected, 0, expected.length())
                && (type.length() == expected.length() || " ;".indexOf(type.charAt(expected.length())) >= 0);
    }

    /**
     * Invites the body of a client that asks first. Netty's HttpServerExpectContinueHandler would invite the body
     * before the handler has admitted the request.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes
    private RequestRefusal expect() {
        if (HttpUtil.is100ContinueExpected(head)) {
            channel.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
            return null;
        }
        boolean isUnknown = !style.isHttp10()
                && head.headers().contains(HttpHeaderNames.EXPECT)
                && !head.headers().contains(HttpHeaderNames.EXPECT, HttpHeaderValues.CONTINUE, true);
        return isUnknown ? RequestRefusal.expectation() : null;
    }

    /** Adds a part of the body; returns the refusal, or null. */
    RequestRefusal collect(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            return RequestRefusal.undecodable(content.decoderResult().cause());
        }
        RequestRefusal refusal = body.append(content.content());
        holdsBody = body.length() > 0;
        if (refusal != null && refusal.counter() == ChannelCounter.HTTP_BODIES_NO_ROOM) {
            port.slow.evictBody();
        } else if (refusal != null && refusal.counter() == ChannelCounter.HTTP_CLIENT_BODIES_REFUSED) {
            port.slow.evictBody(share.client());
        }
        return refusal == null && content instanceof LastHttpContent ? body.finish() : refusal;
    }

    /** Current request; null before its headers, and after {@link #forget}. */
    NettyExchange exchange() {
        return exchange;
    }

    /** Properties of the current or last request. */
    Style style() {
        return style;
    }

    /** Returns whether a part of a body is in memory. Any thread. */
    boolean holdsBody() {
        return holdsBody;
    }

    /** Transfers the complete body to the exchange. */
    void complete() {
        holdsBody = false;
        port.counters.increment(ChannelCounter.HTTP_REQUESTS);
        port.counters.add(ChannelCounter.HTTP_BYTES_RECEIVED, body.received());
        port.counters.add(ChannelCounter.HTTP_BYTES_UNPACKED, body.length());
        int length = body.length();
        exchange.body(body.detach(), length, body.budget());
    }

    /** Ends the current request, whose answer has begun. */
    void forget() {
        exchange = null;
        head = null;
    }

    /** Drops the current request with its body. */
    void drop() {
        holdsBody = false;
        body.drop();
        forget();
    }

    @Override
    public void close() {
        body.close();
    }
}
