package io.chimera.common.channel.netty;

import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.channel.PrincipalConnections;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.ChannelCounter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * HTTP connection, on its event loop. Reads a complete request, passes the request to the handler, sends the answer,
 * and only then reads the next request. After a refusal, the connection sends the answer, discards further input for a
 * short time so the client can read the answer, and closes.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail, and a failed write closes
final class HttpConnection extends ChannelInboundHandlerAdapter implements PaceWatch.Watched, SlowRequests.Waiting {
    /** Linger time for a client still sending during a refusal. */
    private static final long LINGER_MS = 2_000;

    /** Placeholder for a client without an Internet address; counts as remote. */
    private static final InetSocketAddress NOBODY = InetSocketAddress.createUnresolved("nobody", 0);

    private enum State {
        READING,
        HANDLING,
        ANSWERING,
        LINGERING
    }

    private final HttpPort port;
    private final Channel channel;
    private final InetSocketAddress client;
    private final RequestDecoder decoder;
    private final RequestBody body;
    private final DeferredRequests deferred;
    private final IdleWatch idle;
    private final PaceWatch pace;
    private final ConnectionShare share;
    private State state = State.READING;
    private NettyExchange exchange;
    private boolean keepAlive;
    private boolean http10;
    private boolean withHandler;
    private boolean isStaying;
    private boolean hasServed;
    private volatile boolean holdsBody;

    HttpConnection(HttpPort port, Channel channel, RequestDecoder decoder) {
        this.port = port;
        this.channel = channel;
        this.decoder = decoder;
        client = channel.remoteAddress() instanceof InetSocketAddress address ? address : NOBODY;
        body = new RequestBody(port.pool, port.limits, channel.alloc());
        share = new ConnectionShare(port.connections, port.limits.connectionsMax(), port.shares, port.slow, client);
        deferred = port.deferred(channel.eventLoop());
        pace = new PaceWatch(channel, port.limits.pace(), this);
        idle = new IdleWatch(channel, port.limits.pace().idleMs(), this::isOnUs, this::closeIdle);
    }

    // Reading

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        idle.start();
        pace.start();
        port.slow.add(this);
        switch (share.enter()) {
            case LISTENER_FULL -> refuseConnection(RequestRefusal.tooManyConnections(port.limits.connectionsMax()));
            case CLIENT_FULL ->
                refuseConnection(RequestRefusal.tooManyConnectionsOfClient(port.limits.clientConnectionsMax()));
            case ENTERED -> port.counters.increment(ChannelCounter.HTTP_CONNECTIONS);
        }
    }

    private void refuseConnection(RequestRefusal refusal) {
        if (port.lingering.get() < port.limits.connectionsMax()) {
            refuse(refusal);
        } else {
            port.counters.increment(refusal.counter());
            channel.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (!channel.isActive()) {
                return;
            }
            // A message can be both. Only complete parts count as activity: bytes of endless headers do not reset the
            // idle time.
            if (state == State.READING && message instanceof HttpRequest request) {
                idle.touch();
                refuse(begin(request));
            }
            if (state == State.READING && message instanceof HttpContent content) {
                idle.touch();
                refuse(collect(content));
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private RequestRefusal begin(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return RequestRefusal.undecodable(request.decoderResult().cause());
        }
        if (request.protocolVersion().majorVersion() != 1) {
            return RequestRefusal.version(request.protocolVersion().text());
        }
        long length;
        try {
            exchange = new NettyExchange(this, request);
            length = HttpUtil.getContentLength(request, 0L);
        } catch (IllegalArgumentException e) {
            return RequestRefusal.malformed(
                    "Cannot decode the target or length of the request: " + e.getMessage() + ".");
        }
        keepAlive = HttpUtil.isKeepAlive(request);
        http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (length > port.limits.bodyBytesMax()) {
            return RequestRefusal.bodyTooLong(port.limits.bodyBytesMax());
        }
        HttpRefusal denied = port.handler.admit(exchange);
        if (denied != null) {
            refuse(denied);
            return null;
        }
        body.chargeTo(share.budget());
        RequestRefusal refusal = body.begin(encoding(request.headers()));
        return refusal == null ? expect(request) : refusal;
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

    private RequestRefusal expect(HttpRequest request) {
        if (HttpUtil.is100ContinueExpected(request)) {
            channel.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
            return null;
        }
        boolean unknown = !http10
                && request.headers().contains(HttpHeaderNames.EXPECT)
                && !request.headers().contains(HttpHeaderNames.EXPECT, HttpHeaderValues.CONTINUE, true);
        return unknown ? RequestRefusal.expectation() : null;
    }

    private RequestRefusal collect(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            return RequestRefusal.undecodable(content.decoderResult().cause());
        }
        pace.received(content.content().readableBytes());
        RequestRefusal refusal = body.append(content.content());
        holdsBody = body.length() > 0;
        if (refusal != null && refusal.counter() == ChannelCounter.HTTP_BODIES_NO_ROOM) {
            port.slow.evictBody();
        } else if (refusal != null && refusal.counter() == ChannelCounter.HTTP_CLIENT_BODIES_REFUSED) {
            port.slow.evictBody(share.client());
        }
        if (refusal == null && content instanceof LastHttpContent) {
            refusal = body.finish();
            if (refusal == null) {
                handle();
            }
        }
        return refusal;
    }

    // Handling

    private void handle() {
        state = State.HANDLING;
        hasServed = true;
        holdsBody = false;
        port.slow.remove(this);
        port.stopping.asked();
        decoder.hold();
        channel.config().setAutoRead(false);
        port.counters.increment(ChannelCounter.HTTP_REQUESTS);
        port.counters.add(ChannelCounter.HTTP_BYTES_RECEIVED, body.received());
        port.counters.add(ChannelCounter.HTTP_BYTES_UNPACKED, body.length());
        int length = body.length();
        exchange.body(body.detach(), length, body.budget());
        handOver();
    }

    private void handOver() {
        if (!isTaken()) {
            deferred.add(this);
        }
    }

    /** Retries a deferred request; returns false if the handler still has no room. On the event loop. */
    boolean handOverAgain() {
        if (!channel.isActive()) {
            return true;
        }
        try {
            return isTaken();
        } catch (RuntimeException e) {
            channel.pipeline().fireExceptionCaught(e);
            return true;
        }
    }

    private boolean isTaken() {
        NettyExchange current = exchange;
        boolean taken = true;
        withHandler = true;
        try {
            taken = port.handler.handle(current);
        } catch (Throwable e) {
            // The client gets an answer for any exception, and an Error is reported like other failures.
            port.counters.increment(ChannelCounter.HTTP_HANDLERS_FAILED);
            port.errors.onError(e);
            if (!current.isAnswered()) {
                current.respond(
                        500, "application/json", "{\"error\":\"The server failed on this request; see its log.\"}\n");
            }
        }
        withHandler = taken || current.isAnswered();
        if (!withHandler) {
            port.counters.increment(ChannelCounter.HTTP_REQUESTS_DEFERRED);
        }
        return withHandler;
    }

    /** Address of the client. */
    InetSocketAddress address() {
        return client;
    }

    /** Returns the body of a request to the pool. Any thread. */
    void giveBack(NettyExchange answered) {
        answered.returnBody(port.pool);
    }

    /** Counts the connection for a principal; returns false if the principal has too many connections. */
    boolean admit(String principal, int connectionsMax, PrincipalConnections all) {
        boolean isAdmitted = share.admit(principal, connectionsMax, all);
        if (!isAdmitted) {
            port.counters.increment(ChannelCounter.HTTP_CLIENT_CONNECTIONS_REFUSED);
        }
        return isAdmitted;
    }

    /** Sends the answer of a handler. Any thread. */
    void answer(NettyExchange answered, FullHttpResponse response) {
        if (channel.eventLoop().inEventLoop()) {
            send(answered, response);
            return;
        }
        try {
            channel.eventLoop().execute(() -> send(answered, response));
        } catch (RejectedExecutionException e) {
            // The event loops have ended, and this connection with them.
            answered.returnBody(port.pool);
        }
    }

    private void send(NettyExchange answered, FullHttpResponse response) {
        answered.returnBody(port.pool);
        if (channel.isActive()) {
            answering(response);
            channel.writeAndFlush(response).addListener(this::answered);
        }
    }

    /** Begins an answer in parts, ended by {@link #end}. Any thread. */
    void begin(NettyExchange answered, HttpResponse response) {
        onLoop(() -> {
            answered.returnBody(port.pool);
            if (channel.isActive()) {
                HttpUtil.setTransferEncodingChunked(response, !http10);
                if (http10) {
                    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
                    resetOnClose(true);
                }
                answering(response);
                channel.write(response);
            }
        });
    }

    /** Sends a part of an answer. Any thread. */
    ChannelFuture part(HttpContent content) {
        ChannelFuture written = channel.writeAndFlush(content);
        written.addListener(left -> idle.touch());
        return written;
    }

    /** Ends an answer in parts. Any thread. */
    void end(Map<String, String> trailers) {
        LastHttpContent last = trailers.isEmpty() ? LastHttpContent.EMPTY_LAST_CONTENT : new DefaultLastHttpContent();
        trailers.forEach((name, value) -> last.trailingHeaders().set(name, value));
        whileAnswering(() -> channel.writeAndFlush(last).addListener(this::sentWhole));
    }

    private void sentWhole(Future<?> written) {
        if (http10 && written.isSuccess() && channel.isActive()) {
            resetOnClose(false);
        }
        answered(written);
    }

    /**
     * Selects a reset or a normal close for the end of the connection. HTTP/1.0 has no chunks: an answer in parts ends
     * with the connection. Until such an answer is complete, any close must be a reset; otherwise a truncated answer
     * would look complete.
     */
    private void resetOnClose(boolean isReset) {
        channel.config().setOption(ChannelOption.SO_LINGER, isReset ? 0 : -1);
    }

    /** Closes the connection of an incomplete answer in parts. Any thread. */
    void cut() {
        whileAnswering(() -> channel.close().addListener(closed -> port.stopping.answered()));
    }

    private void whileAnswering(Runnable task) {
        onLoop(() -> {
            if (state == State.ANSWERING) { // in another state the client disconnected before the answer began
                task.run();
            }
        });
    }

    private void onLoop(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            port.errors.onError(e); // the event loops have ended, and this connection with them
        }
    }

    private void answering(HttpResponse response) {
        state = State.ANSWERING;
        exchange = null;
        idle.touch();
        port.countAnswer(response.status().code());
        isStaying = keepAlive
                && !port.stopping.hasBegun()
                && !response.headers().contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
        if (!isStaying) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (http10) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }

    private void answered(Future<?> written) {
        port.stopping.answered();
        if (written.isSuccess() && isStaying) {
            readNext();
        } else {
            channel.close();
        }
    }

    private void readNext() {
        state = State.READING;
        idle.touch();
        pace.restart();
        port.slow.add(this);
        decoder.resume();
        if (state == State.READING) {
            channel.config().setAutoRead(true);
        }
    }

    /**
     * Continues reading while a request is handled, to detect a client disconnect. The decoder buffers the client's
     * further input, at most one read. Any thread.
     */
    void watch() {
        onLoop(() -> channel.config().setAutoRead(true));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if ((state == State.HANDLING || state == State.ANSWERING) && decoder.hasBytes()) {
            channel.config().setAutoRead(false);
        }
    }

    /** Authenticated certificate of the client. Any thread. */
    Optional<PeerCertificate> certificate() {
        return Handshakes.certificate(channel);
    }

    /** Returns whether the connection has ended. Any thread. */
    boolean isGone() {
        return !channel.isActive();
    }

    /** Closes the connection. Any thread. */
    void cutOff() {
        onLoop(channel::close);
    }

    /** Returns whether the client waits for this node: all written data are sent. */
    private boolean isOnUs() {
        ChannelOutboundBuffer sent = channel.unsafe().outboundBuffer();
        return state == State.HANDLING || (state == State.ANSWERING && (sent == null || sent.isEmpty()));
    }

    // Ending

    /** Handles the stop of the node: a request in progress gets its answer, any other request ends here. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ForeignBytes foreign) {
            onForeign(foreign);
            return;
        }
        if (event != port.stopping || state != State.READING) {
            return;
        }
        if (exchange != null || decoder.hasBytes()) {
            refuse(RequestRefusal.stopping());
        } else {
            channel.close();
        }
    }

    private void onForeign(ForeignBytes foreign) {
        RequestRefusal refusal = RequestRefusal.malformed(foreign.refusal());
        if (!foreign.isAnswered()) {
            refuse(refusal, foreign.beginning());
            return;
        }
        if (state == State.LINGERING) {
            return;
        }
        state = State.LINGERING;
        share.leave();
        port.lingering.incrementAndGet();
        port.slow.remove(this);
        port.counters.increment(refusal.counter());
        port.countAnswer(refusal.status());
        port.handler.onRefused(refusal.status(), refusal.message(), foreign.beginning(), client);
    }

    /** Answers a request without calling the handler, and ends the connection. */
    private void refuse(RequestRefusal refusal) {
        refuse(refusal, exchange == null ? "" : exchange.method() + " " + exchange.path());
    }

    private void refuse(RequestRefusal refusal, String target) {
        if (refusal == null || state == State.LINGERING) {
            return;
        }
        if (refusal.counter() != null) {
            port.counters.increment(refusal.counter());
        }
        port.handler.onRefused(refusal.status(), refusal.message(), target, client);
        Map<String, String> headers = refusal.status() == 503 || refusal.status() == 429
                ? Map.of("Content-Type", "application/json", "Retry-After", "1")
                : Map.of("Content-Type", "application/json");
        refuse(new HttpRefusal(refusal.status(), headers, refusal.json()));
    }

    @Override
    public PaceWatch.Phase phase() {
        if (state != State.READING) {
            return PaceWatch.Phase.NONE;
        }
        if (exchange != null) {
            return PaceWatch.Phase.BODY;
        }
        // Between two requests only the idle limit applies.
        return hasServed && !decoder.hasBytes() ? PaceWatch.Phase.NONE : PaceWatch.Phase.HEADERS;
    }

    @Override
    public void onTooSlow(PaceWatch.Phase phase) {
        if (phase == PaceWatch.Phase.HEADERS && !decoder.hasBytes()) {
            port.counters.increment(ChannelCounter.HTTP_REQUESTS_SLOW); // no request to answer
            channel.close();
        } else {
            refuse(
                    phase == PaceWatch.Phase.HEADERS
                            ? RequestRefusal.slowHeaders(port.limits.pace().headersMs())
                            : RequestRefusal.slowBody(port.limits.pace().bytesPerSecondMin()));
        }
    }

    @Override
    public Object client() {
        return share.client();
    }

    @Override
    public boolean isSlow() {
        return pace.isSlow();
    }

    @Override
    public boolean holdsBody() {
        return holdsBody;
    }

    @Override
    public void evict() {
        onLoop(() -> {
            if (state == State.READING && channel.isActive()) {
                refuse(RequestRefusal.evicted());
            }
        });
    }

    private void refuse(HttpRefusal refusal) {
        state = State.LINGERING;
        share.leave();
        port.lingering.incrementAndGet();
        holdsBody = false;
        port.slow.remove(this);
        decoder.discard();
        body.drop();
        exchange = null;
        port.countAnswer(refusal.status());
        FullHttpResponse response = NettyExchange.response(refusal.status(), refusal.headers(), refusal.body(), false);
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        channel.writeAndFlush(response).addListener(written -> {
            Handshakes.endOutput(channel);
            ((DuplexChannel) channel).shutdownOutput();
        });
        Later.run(channel, LINGER_MS, channel::close);
    }

    private void closeIdle() {
        port.counters.increment(ChannelCounter.HTTP_CONNECTIONS_IDLE);
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        share.leave();
        if (state == State.LINGERING) {
            port.lingering.decrementAndGet();
        }
        port.slow.remove(this);
        if (state == State.READING && (exchange != null || decoder.hasBytes())) {
            port.counters.increment(ChannelCounter.HTTP_REQUESTS_BROKEN);
        }
        if (state == State.HANDLING) {
            port.stopping.answered();
            if (!withHandler) {
                exchange.returnBody(port.pool);
            }
        }
        body.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException) && !Handshakes.isBroken(cause)) {
            port.errors.onError(cause);
        }
        channel.close();
    }
}
