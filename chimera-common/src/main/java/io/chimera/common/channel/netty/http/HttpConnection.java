package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.channel.PrincipalConnections;
import io.chimera.common.channel.netty.share.ConnectionShare;
import io.chimera.common.channel.netty.socket.Addresses;
import io.chimera.common.channel.netty.socket.ForeignBytes;
import io.chimera.common.channel.netty.socket.Handshakes;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.ChannelCounter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * HTTP connection, on its event loop; {@link HttpState} has its states. Reads a complete request, passes the request
 * to the handler, sends the answer, and only then reads the next request. After a refusal, the connection sends the
 * answer, discards further input for a short time so the client can read the answer, and closes.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail, and a failed write closes
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private final HttpPort port;
    private final Channel channel;
    private final InetSocketAddress client;
    private final RequestDecoder decoder;
    private final RequestIntake intake;
    private final HttpAnswers answers;
    private final DeferredRequests deferred;
    private final RequestWatch watch;
    private final ConnectionShare share;
    private HttpState state = HttpState.FIRST_HEAD;

    HttpConnection(HttpPort port, Channel channel, RequestDecoder decoder) {
        this.port = port;
        this.channel = channel;
        this.decoder = decoder;
        client = Addresses.client(channel);
        share = new ConnectionShare(port.connections, port.limits.connectionsMax(), port.shares, port.slow, client);
        deferred = port.deferred(channel.eventLoop());
        intake = new RequestIntake(this, port, channel, share);
        watch = new RequestWatch(this, port, channel, decoder, intake, share);
        answers = new HttpAnswers(this, port, channel, watch);
    }

    // Reading

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        watch.start();
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
            if (state.isHead() && message instanceof HttpRequest request) {
                watch.touch();
                begin(request);
            }
            if (state == HttpState.BODY && message instanceof HttpContent content) {
                watch.touch();
                collect(content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void begin(HttpRequest request) {
        RequestRefusal refusal = intake.begin(request);
        if (refusal != null) {
            refuse(refusal);
            return;
        }
        HttpRefusal denied = port.handler.admit(intake.exchange());
        if (denied != null) {
            refuse(denied);
            return;
        }
        state = HttpState.BODY;
        refusal = intake.beginBody();
        if (refusal != null) {
            refuse(refusal);
        }
    }

    private void collect(HttpContent content) {
        watch.received(content.content().readableBytes());
        RequestRefusal refusal = intake.collect(content);
        if (refusal != null) {
            refuse(refusal);
        } else if (content instanceof LastHttpContent) {
            handle();
        }
    }

    // Handling

    private void handle() {
        state = HttpState.HANDLING;
        watch.stopWaiting();
        port.stopping.asked();
        decoder.hold();
        channel.config().setAutoRead(false);
        answers.prepare(intake.style());
        intake.complete();
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
        state = HttpState.HANDLING;
        try {
            return isTaken();
        } catch (RuntimeException e) {
            channel.pipeline().fireExceptionCaught(e);
            return true;
        }
    }

    private boolean isTaken() {
        NettyExchange current = intake.exchange();
        boolean taken = true;
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
        boolean isDeferred = !taken && !current.isAnswered();
        if (isDeferred) {
            state = HttpState.DEFERRED;
            port.counters.increment(ChannelCounter.HTTP_REQUESTS_DEFERRED);
        }
        return !isDeferred;
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

    // Answering

    HttpAnswers answers() {
        return answers;
    }

    /** Begins an answer. */
    void onAnswering(int status) {
        state = HttpState.ANSWERING;
        intake.forget();
        watch.touch();
        port.countAnswer(status);
    }

    HttpState state() {
        return state;
    }

    /** Ends an answer; the connection then reads the next request, or closes. */
    void onAnswered(boolean isStaying) {
        port.stopping.answered();
        if (isStaying) {
            readNext();
        } else {
            channel.close();
        }
    }

    /** Runs a task on the event loop. Any thread. */
    void onLoop(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            port.errors.onError(e); // the event loops have ended, and this connection with them
        }
    }

    private void readNext() {
        state = HttpState.NEXT_HEAD;
        watch.awaitRequest();
        decoder.resume();
        if (state.isReading()) {
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
        if ((state.isUnanswered() || state == HttpState.ANSWERING) && decoder.hasBytes()) {
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

    // Ending

    /** Handles the stop of the node: a request in progress gets its answer, any other request ends here. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ForeignBytes foreign) {
            onForeign(foreign);
            return;
        }
        if (event != port.stopping || !state.isReading()) {
            return;
        }
        if (hasBegunRequest()) {
            refuse(RequestRefusal.stopping());
        } else {
            channel.close();
        }
    }

    private boolean hasBegunRequest() {
        return state == HttpState.BODY || (state.isHead() && decoder.hasBytes());
    }

    private void onForeign(ForeignBytes foreign) {
        RequestRefusal refusal = RequestRefusal.malformed(foreign.refusal());
        if (!foreign.isAnswered()) {
            refuse(refusal, foreign.beginning());
            return;
        }
        if (state == HttpState.LINGERING) {
            return;
        }
        linger();
        port.counters.increment(refusal.counter());
        port.countAnswer(refusal.status());
        port.handler.onRefused(refusal.status(), refusal.message(), foreign.beginning(), client);
    }

    /** Answers a request without calling the handler, and ends the connection. */
    void refuse(RequestRefusal refusal) {
        NettyExchange exchange = intake.exchange();
        refuse(refusal, exchange == null ? "" : exchange.method() + " " + exchange.path());
    }

    private void refuse(RequestRefusal refusal, String target) {
        if (state == HttpState.LINGERING) {
            return;
        }
        if (refusal.counter() != null) {
            port.counters.increment(refusal.counter());
        }
        port.handler.onRefused(refusal.status(), refusal.message(), target, client);
        refuse(refusal.answer());
    }

    private void refuse(HttpRefusal refusal) {
        linger();
        decoder.discard();
        intake.drop();
        port.countAnswer(refusal.status());
        answers.refuse(refusal);
    }

    private void linger() {
        state = HttpState.LINGERING;
        share.leave();
        port.lingering.incrementAndGet();
        watch.stopWaiting();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        share.leave();
        if (state == HttpState.LINGERING) {
            port.lingering.decrementAndGet();
        }
        watch.stopWaiting();
        if (hasBegunRequest()) {
            port.counters.increment(ChannelCounter.HTTP_REQUESTS_BROKEN);
        }
        if (state.isUnanswered()) {
            port.stopping.answered();
        }
        if (state == HttpState.DEFERRED) {
            intake.exchange().returnBody(port.pool);
        }
        intake.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException) && !Handshakes.isBroken(cause)) {
            port.errors.onError(cause);
        }
        channel.close();
    }
}
