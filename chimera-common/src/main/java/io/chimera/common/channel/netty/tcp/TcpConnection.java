package io.chimera.common.channel.netty.tcp;

import io.chimera.common.channel.Peer;
import io.chimera.common.channel.PrincipalConnections;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.channel.netty.share.ConnectionShare;
import io.chimera.common.channel.netty.share.SlowRequests;
import io.chimera.common.channel.netty.socket.Addresses;
import io.chimera.common.channel.netty.socket.FinalAnswer;
import io.chimera.common.channel.netty.socket.ForeignBytes;
import io.chimera.common.channel.netty.socket.Handshakes;
import io.chimera.common.channel.netty.socket.IdleWatch;
import io.chimera.common.channel.netty.socket.Later;
import io.chimera.common.channel.netty.socket.Stopping;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.ChannelCounter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * TCP connection with lines, on its event loop; {@link TcpState} has its states. Reading pauses while the handler has
 * no room, which closes the sender's TCP window.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail, and a failed write closes
final class TcpConnection extends ChannelInboundHandlerAdapter
        implements Peer, SlowRequests.Waiting, LineWatch.Watched {
    private static final long RETRY_MS = 1;

    private final TcpPort port;
    private final Channel channel;
    private final IdleWatch idle;
    private final TcpInput input = new TcpInput();
    private final ConnectionShare share;
    private final LineWatch line;
    private final Runnable retry = this::retryGuarded;
    private TcpState state = TcpState.READING;
    private StreamHandler handler;

    TcpConnection(TcpPort port, Channel channel) {
        this.port = port;
        this.channel = channel;
        idle = new IdleWatch(channel, port.limits.pace().idleMs(), () -> state.isWaiting(), this::closeIdle);
        share = new ConnectionShare(
                port.connections, port.limits.connectionsMax(), port.shares, port.slow, Addresses.client(channel));
        line = new LineWatch(channel, port.limits.pace(), this);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        switch (share.enter()) {
            case LISTENER_FULL -> {
                port.counters.increment(ChannelCounter.TCP_CONNECTIONS_REFUSED);
                refuse("More than " + port.limits.connectionsMax() + " connections are open. Use fewer.");
                return;
            }
            case CLIENT_FULL -> {
                port.counters.increment(ChannelCounter.TCP_CLIENT_CONNECTIONS_REFUSED);
                refuse("This client has more than " + port.limits.clientConnectionsMax()
                        + " connections open, its share of the input. Use fewer.");
                return;
            }
            case ENTERED -> port.counters.increment(ChannelCounter.TCP_CONNECTIONS);
        }
        port.slow.add(this);
        idle.start();
        line.start();
        guarded(() -> {
            handler = port.handlers.get();
            handler.onOpen(this);
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (state == TcpState.CLOSING) {
            in.release();
            return;
        }
        idle.touch();
        port.counters.add(ChannelCounter.TCP_BYTES_RECEIVED, in.readableBytes());
        input.add(in);
        if (state == TcpState.READING) {
            guarded(this::readInput);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (state == TcpState.READING) {
            guarded(handler::onReadComplete);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        boolean isClosedByTls = event instanceof SslCloseCompletionEvent tls && tls.isSuccess();
        if (event instanceof ChannelInputShutdownEvent || isClosedByTls) {
            onInputEnded();
        } else if (event instanceof ForeignBytes foreign && handler != null) {
            handler.onRefused(foreign.refusal(), foreign.beginning(), address());
        } else if (event instanceof Stopping) {
            onStop();
        }
    }

    private void onInputEnded() {
        if (state == TcpState.PAUSED) {
            state = TcpState.ENDING;
        } else if (state == TcpState.READING) {
            guarded(this::endOfInput);
        }
    }

    private void onStop() {
        if (state.isWaiting()) {
            state = TcpState.STOPPING;
        } else {
            close();
        }
    }

    private void readInput() {
        if (!isTaken()) {
            awaitRoom(TcpState.PAUSED);
        }
    }

    /** Passes received input to the handler; returns false if the handler has no room. */
    private boolean isTaken() {
        boolean hasRoom = true;
        while (hasRoom && state != TcpState.CLOSING && input.hasNext()) {
            hasRoom = isTaken(input.passNext(handler));
        }
        return hasRoom;
    }

    private boolean isTaken(TcpInput.Outcome outcome) {
        if (outcome == TcpInput.Outcome.REFUSED) {
            port.counters.increment(ChannelCounter.TCP_CHUNKS_DEFERRED);
        } else if (outcome == TcpInput.Outcome.TOO_LONG) {
            port.counters.increment(ChannelCounter.TCP_LINES_TOO_LONG);
            close();
        }
        return outcome != TcpInput.Outcome.REFUSED;
    }

    private void awaitRoom(TcpState waiting) {
        if (state != TcpState.CLOSING) {
            state = waiting;
            channel.config().setAutoRead(false);
            Later.run(channel, RETRY_MS, retry);
        }
    }

    private void retryGuarded() {
        guarded(this::retry);
    }

    private void retry() {
        if (!isTaken()) {
            awaitRoom(state);
            return;
        }
        switch (state) {
            case PAUSED -> {
                state = TcpState.READING;
                handler.onReadComplete();
                channel.config().setAutoRead(true);
            }
            case ENDING -> endOfInput();
            case STOPPING -> {
                handler.onReadComplete();
                close();
            }
            default -> {} // closed during the retry
        }
    }

    /** Handles the end of the client's input. Repeated while the handler has no room. */
    private void endOfInput() {
        if (!isTaken(input.passLast(handler))) {
            awaitRoom(TcpState.ENDING);
            return;
        }
        handler.onReadComplete();
        state = TcpState.CLOSING;
        // Close after the pending replies.
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.remoteAddress();
    }

    @Override
    public Optional<PeerCertificate> certificate() {
        return Handshakes.certificate(channel);
    }

    @Override
    public void reply(byte[] answer) {
        if (channel.eventLoop().inEventLoop()) {
            write(answer);
            return;
        }
        try {
            channel.eventLoop().execute(() -> write(answer));
        } catch (RejectedExecutionException e) {
            port.counters.increment(ChannelCounter.TCP_REPLIES_DROPPED);
        }
    }

    private void write(byte[] answer) {
        if (channel.isWritable()) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(answer));
        } else {
            port.counters.increment(ChannelCounter.TCP_REPLIES_DROPPED);
        }
    }

    @Override
    public void refuse(byte[] answer) {
        state = TcpState.CLOSING; // counted for the client until the end of the connection
        FinalAnswer.send(channel, Unpooled.wrappedBuffer(answer));
    }

    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            port.counters.increment(ChannelCounter.TCP_HANDLERS_FAILED);
            port.errors.onError(e);
            close();
        }
    }

    private void closeIdle() {
        port.counters.increment(ChannelCounter.TCP_CONNECTIONS_IDLE);
        close();
    }

    /** Sends the reason as a line of text and closes. */
    private void refuse(String reason) {
        state = TcpState.CLOSING;
        share.leave();
        port.slow.remove(this);
        channel.writeAndFlush(Unpooled.wrappedBuffer(("ERROR " + reason + "\n").getBytes(StandardCharsets.UTF_8)))
                .addListener(ChannelFutureListener.CLOSE);
        Later.run(channel, FinalAnswer.LINGER_MS, channel::close);
    }

    @Override
    public String principal() {
        return share.principal();
    }

    @Override
    public boolean admit(String principal, int connectionsMax, PrincipalConnections all) {
        boolean isAdmitted = share.admit(principal, connectionsMax, all);
        if (!isAdmitted) {
            port.counters.increment(ChannelCounter.TCP_CLIENT_CONNECTIONS_REFUSED);
        }
        return isAdmitted;
    }

    @Override
    public long consumed() {
        return input.consumed();
    }

    @Override
    public boolean isUnfinished() {
        return input.isUnfinished();
    }

    @Override
    public boolean isExcused() {
        return state != TcpState.READING;
    }

    @Override
    public void onTooSlow() {
        port.counters.increment(ChannelCounter.TCP_LINES_SLOW);
        refuse("A line stayed incomplete for " + port.limits.pace().lineMs() + " ms.");
    }

    @Override
    public Object client() {
        return share.client();
    }

    @Override
    public boolean isSlow() {
        return line.isSlow();
    }

    @Override
    public boolean holdsBody() {
        return false;
    }

    @Override
    public void evict() {
        try {
            channel.eventLoop().execute(() -> {
                if (state != TcpState.CLOSING) {
                    port.counters.increment(ChannelCounter.TCP_CONNECTIONS_EVICTED);
                    refuse("The connection sent no complete line, and other clients needed its place.");
                }
            });
        } catch (RejectedExecutionException e) {
            port.errors.onError(e); // the event loops have ended, and this connection with them
        }
    }

    @Override
    public void close() {
        state = TcpState.CLOSING;
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = TcpState.CLOSING;
        share.leave();
        port.slow.remove(this);
        input.close();
        if (handler != null) {
            guarded(handler::onClose);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException) && !Handshakes.isBroken(cause)) {
            port.errors.onError(cause);
        }
        close();
    }
}
