package io.chimera.common.channel.netty;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.CreditWindow;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.security.PeerCertificate;
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
 * One end of a framed connection, on its event loop. It is open once the other end has introduced itself, so whoever
 * connects to a port of something else hears it in clear words. A handler that refuses a frame stops the reading: the
 * frame is handed over again each millisecond, and nothing behind it meanwhile. A peer from which nothing comes, not even
 * a ping, is given up.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail
final class NettyConnection extends ChannelInboundHandlerAdapter implements Connection, FrameReader.Frames {
    /** How long to wait for what, in milliseconds. */
    record Timing(long pingMs, long silenceMs, long startMs) {
        /** A peer that pings each second and was silent for ten is stopped, cut off, or overloaded beyond use. */
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
     * An end that is not connected yet.
     *
     * @param channel registered with its event loop
     * @param handlers asked once for the handler, when the other end has introduced itself
     * @param connector hears of the end even when it comes before; null for an accepted connection
     * @param remote the other end; null for an accepted connection
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
     * Sets what TLS has proved of the other end. The event loop, before the first frame.
     *
     * @return false when the certificate names no node of the cluster: the connection is closed
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
            // The event loops are gone, and all connections with them.
            sender.stop();
        }
    }

    // The event loop

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

    /** Reads as much of the input as the handler takes, oldest first. */
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
                        + ". Check that the address is that of a Chimera node of the same release.");
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
        // Counted once and before the first call, as the handler may give the credit back within it.
        if (!counted && !credit.receive(length)) {
            counters.increment(ChannelCounter.FRAMES_REJECTED);
            fail("Closed the connection with " + remote + ": it sent more bytes than it had credit for.");
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
                    + timing.startMs() + " ms. Check that the address is that of a node's channel.");
        } else if (silentMs >= timing.silenceMs()) {
            counters.increment(ChannelCounter.PEERS_SILENT);
            fail("Closed the connection with " + remote + ": nothing came from it for " + silentMs
                    + " ms. It is stopped, overloaded or cut off by the network.");
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

    /** The first reason is the cause, later ones follow from it. */
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
