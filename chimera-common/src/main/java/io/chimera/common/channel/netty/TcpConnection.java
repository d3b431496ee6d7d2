package io.chimera.common.channel.netty;

import io.chimera.api.spi.Chunk;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.security.PeerCertificate;
import io.chimera.common.wire.BodyLayout;
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
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * One TCP connection that brings lines, on its event loop. Bytes gather in an array of fixed size; the handler gets all
 * that is not consumed yet, and what it leaves moves to the front. While the handler has no room nothing is read, which
 * stops the sender's TCP window.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail, and a failed write closes
final class TcpConnection extends ChannelInboundHandlerAdapter implements Peer {
    /** One read of the socket. */
    static final int READ_BYTES_MAX = 64 << 10;

    /**
     * Reads in a row while the sender keeps the socket full: what they bring goes on its way together, 1 MiB at most, as long
     * lines that leave little would make many small batches. Other connections of the event loop wait for less than a millisecond.
     */
    static final int READS_MAX = 16;

    private static final long RETRY_MS = 1;

    private final TcpPort port;
    private final Channel channel;
    private final IdleWatch idle;
    private final Chunk chunk = new Chunk();
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();
    /** An unfinished line of the largest size, and one read behind it. */
    private final byte[] bytes = new byte[BodyLayout.TEXT_LENGTH_MAX + READ_BYTES_MAX];

    private StreamHandler handler;
    private int length;
    /** The handler has refused the chunk, which is handed over again before anything else. */
    private boolean refused;

    private boolean paused;
    private boolean inputEnded;

    /** The node stops: what was read is handed over, and no more is read. An unfinished line is no line then. */
    private boolean stopping;

    private boolean closing;

    TcpConnection(TcpPort port, Channel channel) {
        this.port = port;
        this.channel = channel;
        idle = new IdleWatch(channel, port.limits.idleMs(), () -> paused, this::closeIdle);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (port.connections.incrementAndGet() > port.limits.connectionsMax()) {
            port.counters.increment(ChannelCounter.TCP_CONNECTIONS_REFUSED);
            close();
            return;
        }
        port.counters.increment(ChannelCounter.TCP_CONNECTIONS);
        idle.start();
        guarded(() -> {
            handler = port.handlers.get();
            handler.onOpen(this);
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
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
        if ((event instanceof ChannelInputShutdownEvent || isClosedByTls) && !inputEnded) {
            inputEnded = true;
            if (!paused) {
                guarded(this::endOfInput);
            }
        } else if (event instanceof Stopping) {
            stopping = true;
            if (!paused) {
                close();
            }
        }
    }

    /** Hands over what is held, until there is no more or the handler has no room. */
    private void feed() {
        while (!closing && handOverRefused() && !held.isEmpty()) {
            ByteBuf in = held.peek();
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

    /** Hands a refused chunk over again; true when nothing is refused any more. */
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

    /** The other end sends no more: an unfinished line is a line now. Called again while the handler has no room. */
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
        // Behind the replies that are still being written.
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

    @Override
    public void close() {
        closing = true;
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closing = true;
        port.connections.decrementAndGet();
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
