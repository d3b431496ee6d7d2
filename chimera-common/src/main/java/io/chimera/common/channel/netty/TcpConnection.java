package io.chimera.common.channel.netty;

import io.chimera.api.spi.Chunk;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.PrincipalConnections;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.wire.BodyLayout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * TCP connection with lines, on its event loop. Received bytes collect in a bounded array; the handler gets all
 * unconsumed bytes, and the rest moves to the front. Reading pauses while the handler has no room, which closes the
 * sender's TCP window.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail, and a failed write closes
final class TcpConnection extends ChannelInboundHandlerAdapter
        implements Peer, SlowRequests.Waiting, LineWatch.Watched {
    /** Maximum length of one read of the socket. */
    static final int READ_BYTES_MAX = 64 << 10;

    /**
     * Maximum number of consecutive reads while the socket is full. Their bytes, at most 1 MiB, are forwarded together,
     * because long lines with few consumed bytes would otherwise make many small batches. Other connections of the
     * event loop wait less than a millisecond.
     */
    static final int READS_MAX = 16;

    private static final long RETRY_MS = 1;

    /** Maximum buffer: an incomplete line of the maximum length, plus one read. */
    private static final int BYTES_MAX = BodyLayout.TEXT_LENGTH_MAX + READ_BYTES_MAX;

    /** Initial buffer, a few lines: connections with little input need little memory. */
    private static final int BYTES_FIRST = 4 << 10;

    private static final byte[] NO_BYTES = {};

    /** Linger time for a refused client to read the reason. */
    private static final long LINGER_MS = 2_000;

    private static final InetSocketAddress NOBODY = InetSocketAddress.createUnresolved("nobody", 0);

    private final TcpPort port;
    private final Channel channel;
    private final IdleWatch idle;
    private final Chunk chunk = new Chunk();
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();
    private final ConnectionShare share;
    private final LineWatch line;
    /** Buffer; grows to the client's largest amount of unconsumed input. */
    private byte[] bytes = NO_BYTES;

    private StreamHandler handler;
    private int length;
    private long consumed;
    /** Whether the handler refused the chunk; the chunk is passed again before any other input. */
    private boolean refused;

    private boolean paused;
    private boolean inputEnded;

    /**
     * Whether the node is stopping: received lines are passed to the handler, and reading ends. An incomplete line is
     * dropped.
     */
    private boolean stopping;

    private boolean closing;

    TcpConnection(TcpPort port, Channel channel) {
        this.port = port;
        this.channel = channel;
        idle = new IdleWatch(channel, port.limits.pace().idleMs(), () -> paused, this::closeIdle);
        share = new ConnectionShare(
                port.connections,
                port.limits.connectionsMax(),
                port.shares,
                port.slow,
                channel.remoteAddress() instanceof InetSocketAddress address ? address : NOBODY);
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
        if (closing) {
            in.release();
            return;
        }
        idle.touch();
        port.counters.add(ChannelCounter.TCP_BYTES_RECEIVED, in.readableBytes());
        held.add(in);
        if (!paused) {
            guarded(this::feed);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!paused && !closing) {
            guarded(handler::onReadComplete);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        boolean isClosedByTls = event instanceof SslCloseCompletionEvent tls && tls.isSuccess();
        if ((event instanceof ChannelInputShutdownEvent || isClosedByTls) && !inputEnded && !closing) {
            inputEnded = true;
            if (!paused) {
                guarded(this::endOfInput);
            }
        } else if (event instanceof ForeignBytes foreign && handler != null) {
            handler.onRefused(foreign.refusal(), foreign.beginning(), address());
        } else if (event instanceof Stopping) {
            stopping = true;
            if (!paused) {
                close();
            }
        }
    }

    /** Passes buffered input to the handler until the input ends or the handler has no room. */
    private void feed() {
        while (!closing && handOverRefused() && !held.isEmpty()) {
            ByteBuf in = held.peek();
            makeRoom(length + in.readableBytes());
            int count = Math.min(in.readableBytes(), bytes.length - length);
            in.readBytes(bytes, length, count);
            length += count;
            if (!in.isReadable()) {
                held.poll().release();
            }
            handOver(false);
        }
        if (refused && !closing) {
            pause();
        }
    }

    private void makeRoom(int needed) {
        if (needed > bytes.length && bytes.length < BYTES_MAX) {
            int doubled = Math.max(BYTES_FIRST, Integer.highestOneBit(Math.max(1, needed - 1)) << 1);
            bytes = Arrays.copyOf(bytes, Math.min(BYTES_MAX, doubled));
        }
    }

    /** Passes a refused chunk again; returns true if no chunk is refused any more. */
    private boolean handOverRefused() {
        if (refused) {
            take();
        }
        return !refused;
    }

    private void handOver(boolean last) {
        chunk.wrap(bytes, 0, length, last);
        take();
    }

    private void take() {
        refused = !handler.onBytes(chunk);
        if (refused) {
            port.counters.increment(ChannelCounter.TCP_CHUNKS_DEFERRED);
            return;
        }
        int rest = chunk.limit() - chunk.offset();
        if (rest > BodyLayout.TEXT_LENGTH_MAX) {
            port.counters.increment(ChannelCounter.TCP_LINES_TOO_LONG);
            close();
        }
        consumed += chunk.offset();
        System.arraycopy(bytes, chunk.offset(), bytes, 0, rest);
        length = rest;
    }

    private void pause() {
        paused = true;
        channel.config().setAutoRead(false);
        Later.run(channel, RETRY_MS, this::resume);
    }

    private void resume() {
        paused = false;
        guarded(this::feed);
        if (paused || closing) {
            return;
        }
        if (stopping) {
            guarded(handler::onReadComplete);
            close();
        } else if (inputEnded) {
            guarded(this::endOfInput);
        } else {
            guarded(handler::onReadComplete);
            channel.config().setAutoRead(true);
        }
    }

    /**
     * Handles the end of the client's input: the incomplete last line now counts as a line. Repeated while the handler
     * has no room.
     */
    private void endOfInput() {
        if (length > 0 && !chunk.last()) {
            handOver(true);
            if (refused) {
                pause();
                return;
            }
        }
        handler.onReadComplete();
        closing = true;
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
        closing = true; // counted for the client until the end of the connection
        channel.writeAndFlush(Unpooled.wrappedBuffer(answer)).addListener(written -> {
            Handshakes.endOutput(channel);
            ((DuplexChannel) channel).shutdownOutput();
        });
        Later.run(channel, LINGER_MS, channel::close);
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
        closing = true;
        share.leave();
        port.slow.remove(this);
        channel.writeAndFlush(Unpooled.wrappedBuffer(("ERROR " + reason + "\n").getBytes(StandardCharsets.UTF_8)))
                .addListener(ChannelFutureListener.CLOSE);
        Later.run(channel, LINGER_MS, channel::close);
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
        return consumed;
    }

    @Override
    public boolean isUnfinished() {
        return length > 0;
    }

    @Override
    public boolean isExcused() {
        return paused || closing;
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
                if (!closing) {
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
        closing = true;
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closing = true;
        share.leave();
        port.slow.remove(this);
        for (ByteBuf in = held.poll(); in != null; in = held.poll()) {
            in.release();
        }
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
