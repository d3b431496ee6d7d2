package io.chimera.common.channel.netty;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.CreditWindow;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;

/**
 * One end of a framed connection, on its event loop. The connection opens after the START frame of the other end, so
 * connecting to a foreign port yields a clear message. When a handler refuses a frame, reading pauses: the frame is
 * passed again every millisecond, and no later frame in the meantime. A silent peer, without even pings, is
 * disconnected.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail
final class NettyConnection extends ChannelInboundHandlerAdapter implements Connection, FrameReader.Frames {
    /** Time limits in milliseconds: ping interval, silence of a peer, and first frame of a peer. */
    record Timing(long pingMs, long silenceMs, long startMs) {
        /**
         * Default limits. A peer pings every second; a silence of ten seconds means a stopped, unreachable or
         * overloaded peer.
         */
        static final Timing DEFAULT = new Timing(1_000, 10_000, 3_000);
    }

    private static final long RETRY_MS = 1;
    private static final long CLOSE_MS_MAX = 1_000;

    private final Supplier<ConnectionHandler> handlers;
    private final Counters<ChannelCounter> counters;
    private final ErrorHandler errors;
    private final Timing timing;
    private final CreditWindow credit = new CreditWindow();
    private final AtomicBoolean returning = new AtomicBoolean();
    private final Runnable returnCredit = this::returnCredit;
    private final Runnable resume = this::resume;
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();

    private final Channel channel;
    private final EventLoop loop;
    private final FrameSender sender;
    private final FrameReader reader;
    private final boolean connecting;
    private volatile String remote;
    private volatile PeerCertificate certificate;
    private ConnectionHandler handler;
    private boolean counted;
    private boolean paused;
    private boolean opened;
    private boolean closing;
    private long silentMs;
    private String reason;
    private long framesReceived;
    private long bytesReceived;

    /**
     * Creates an unconnected end.
     *
     * @param channel channel, registered with its event loop
     * @param handlers returns the handler; called once, after the START frame of the other end
     * @param connector handler notified of the end even before the START frame; null for an accepted connection
     * @param remote address of the other end; null for an accepted connection
     */
    NettyConnection(
            Channel channel,
            Supplier<ConnectionHandler> handlers,
            ConnectionHandler connector,
            String remote,
            Counters<ChannelCounter> counters,
            ErrorHandler errors,
            Timing timing) {
        this.channel = channel;
        this.handlers = handlers;
        this.handler = connector;
        this.connecting = connector != null;
        this.remote = remote;
        this.counters = counters;
        this.errors = errors;
        this.timing = timing;
        loop = channel.eventLoop();
        sender = new FrameSender(channel, credit, counters);
        reader = new FrameReader(channel.alloc(), this);
    }

    // Any thread

    @Override
    public boolean offer(DirectBuffer buffer, int offset, int length) {
        return sender.offer(buffer, offset, length);
    }

    @Override
    public void consumed(int bytes) {
        if (credit.consume(bytes) && !returning.getAndSet(true)) {
            execute(returnCredit);
        }
    }

    @Override
    public boolean isOpen() {
        return sender.isOpen();
    }

    @Override
    public void close() {
        sender.stop();
        execute(this::closeAfterQueue);
    }

    @Override
    public String remote() {
        return remote;
    }

    @Override
    public Optional<PeerCertificate> certificate() {
        return Optional.ofNullable(certificate);
    }

    /**
     * Sets the certificate authenticated by TLS. Event loop, before the first frame.
     *
     * @return false if the certificate names no node of the cluster: the connection is closed
     */
    boolean onHandshake(String cluster) {
        certificate = Handshakes.certificate(channel).orElse(null);
        if (certificate != null && certificate.isOf(cluster)) {
            return true;
        }
        counters.increment(ChannelCounter.TLS_PEERS_REFUSED);
        fail("Closed the connection with " + remote + ": its certificate ("
                + (certificate == null ? "none" : certificate.subject()) + ") names no node of the cluster " + cluster
                + ". Issue one with the URI chimera://" + cluster + "/<role>/<id> (chimera tls issue).");
        return false;
    }

    private void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The event loops have ended, and all connections with them.
            sender.stop();
        }
    }

    // Event loop

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (remote == null) {
            remote = Addresses.text(channel.remoteAddress());
        }
        sender.control(ChannelFrame.start(channel.alloc()));
        Later.run(channel, timing.pingMs(), this::tick);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        silentMs = 0;
        held.add((ByteBuf) message);
        if (!paused) {
            readHeld();
        }
    }

    /** Reads the buffered input, oldest first, until the handler refuses a frame. */
    private void readHeld() {
        for (ByteBuf in = held.peek(); in != null && !paused; in = held.peek()) {
            FrameReader.Outcome outcome = closing ? FrameReader.Outcome.CONSUMED : reader.read(in);
            if (outcome == FrameReader.Outcome.REFUSED && !closing) {
                pause();
            } else {
                held.poll().release();
            }
            if (outcome == FrameReader.Outcome.BROKEN) {
                counters.increment(ChannelCounter.FRAMES_REJECTED);
                fail("Closed the connection with " + remote + ": " + reader.fault()
                        + ". Check that the address belongs to a Chimera node of the same release.");
            }
        }
        countReceived();
    }

    private void pause() {
        paused = true;
        counters.increment(ChannelCounter.FRAMES_DEFERRED);
        channel.config().setAutoRead(false);
        Later.run(channel, RETRY_MS, resume);
    }

    private void resume() {
        paused = false;
        readHeld();
        if (!paused) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public boolean onFrame(int kind, DirectBuffer buffer, int offset, int length) {
        if (closing) {
            return false;
        }
        return switch (kind) {
            case ChannelFrame.DATA -> onData(buffer, offset, length);
            case ChannelFrame.START -> onStart(buffer, offset);
            case ChannelFrame.CREDIT -> onCredit(buffer.getInt(offset, LITTLE_ENDIAN));
            default -> true;
        };
    }

    private boolean onData(DirectBuffer buffer, int offset, int length) {
        // Counted once and before the first call, because the handler may return the credit during the call.
        if (!counted && !credit.receive(length)) {
            counters.increment(ChannelCounter.FRAMES_REJECTED);
            fail("Closed the connection with " + remote + ": it exceeded its credit.");
            return false;
        }
        counted = true;
        boolean taken;
        try {
            taken = handler.onFrame(this, buffer, offset, length);
        } catch (RuntimeException e) {
            handlerFailed(e);
            return false;
        }
        if (taken) {
            framesReceived++;
            bytesReceived += length;
            counted = false;
        }
        return taken;
    }

    private boolean onStart(DirectBuffer buffer, int offset) {
        int magic = buffer.getInt(offset, LITTLE_ENDIAN);
        int version = buffer.getInt(offset + 4, LITTLE_ENDIAN);
        if (magic != ChannelFrame.MAGIC || version != ChannelFrame.VERSION) {
            counters.increment(ChannelCounter.FRAMES_REJECTED);
            fail("Closed the connection with " + remote + ": it speaks version " + version
                    + " of the channel protocol and this node version " + ChannelFrame.VERSION
                    + ". Run the same release on both.");
            return false;
        }
        if (!onCredit(buffer.getInt(offset + 8, LITTLE_ENDIAN))) {
            return false;
        }
        counters.increment(ChannelCounter.CONNECTIONS_OPENED);
        opened = true;
        sender.open();
        try {
            handler = handlers.get();
            handler.onOpen(this);
        } catch (RuntimeException e) {
            handlerFailed(e);
        }
        return !closing;
    }

    private boolean onCredit(int bytes) {
        if (!credit.grant(bytes)) {
            counters.increment(ChannelCounter.FRAMES_REJECTED);
            fail("Closed the connection with " + remote + ": it granted " + Integer.toUnsignedString(bytes)
                    + " bytes of credit, which exceeds the window of " + CreditWindow.BYTES + ".");
            return false;
        }
        return true;
    }

    private void returnCredit() {
        returning.getAndSet(false);
        if (!channel.isActive()) {
            return;
        }
        try {
            int bytes = credit.collect();
            if (bytes > 0) {
                sender.control(ChannelFrame.credit(channel.alloc(), bytes));
            }
        } catch (IllegalStateException e) {
            handlerFailed(e);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable()) {
            sender.drain();
        }
    }

    private void tick() {
        silentMs = paused ? 0 : silentMs + timing.pingMs();
        if (!opened && silentMs >= timing.startMs()) {
            fail(remote + " accepted the connection but did not introduce itself as a Chimera node within "
                    + timing.startMs() + " ms. Check that the address belongs to a node's channel.");
        } else if (silentMs >= timing.silenceMs()) {
            counters.increment(ChannelCounter.PEERS_SILENT);
            fail("Closed the connection with " + remote + ": it sent nothing for " + silentMs
                    + " ms. It is stopped, overloaded or unreachable.");
        } else {
            if (!sender.wroteSinceLastCall() && channel.isWritable()) {
                sender.control(ChannelFrame.ping(channel.alloc()));
                sender.wroteSinceLastCall();
            }
            Later.run(channel, timing.pingMs(), this::tick);
        }
    }

    private void closeAfterQueue() {
        because("This node closed the connection with " + remote + ".");
        closing = true;
        if (!channel.isActive()) {
            return;
        }
        sender.drainAll();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        Later.run(channel, CLOSE_MS_MAX, () -> channel.close());
    }

    private void handlerFailed(Throwable cause) {
        counters.increment(ChannelCounter.HANDLERS_FAILED);
        errors.onError(cause);
        fail("Closed the connection with " + remote + ": its handler failed with " + cause + ".");
    }

    private void fail(String newReason) {
        because(newReason);
        closing = true;
        sender.stop();
        channel.close();
    }

    /** Sets the reason of the end unless already set: the first reason is the cause, later ones are consequences. */
    void because(String newReason) {
        if (reason == null) {
            reason = newReason;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        because("The connection with " + remote + " broke: " + Addresses.causeText(cause) + ".");
        ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        because(remote + " closed the connection.");
        closing = true;
        countReceived();
        sender.close();
        reader.close();
        for (ByteBuf in = held.poll(); in != null; in = held.poll()) {
            in.release();
        }
        if (opened) {
            counters.increment(ChannelCounter.CONNECTIONS_CLOSED);
        } else if (connecting) {
            counters.increment(ChannelCounter.CONNECTS_FAILED);
        }
        if (handler != null) {
            try {
                handler.onClose(reason);
            } catch (RuntimeException e) {
                errors.onError(e);
            }
        }
    }

    private void countReceived() {
        if (framesReceived > 0) {
            counters.add(ChannelCounter.FRAMES_RECEIVED, framesReceived);
            counters.add(ChannelCounter.BYTES_RECEIVED, bytesReceived);
            framesReceived = 0;
            bytesReceived = 0;
        }
    }
}
