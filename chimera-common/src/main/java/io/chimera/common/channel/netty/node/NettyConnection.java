package io.chimera.common.channel.netty.node;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.CreditWindow;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.socket.Addresses;
import io.chimera.common.channel.netty.socket.Later;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.ChannelCounter;
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
import java.util.function.Supplier;
import org.agrona.DirectBuffer;

/**
 * One end of a framed connection, on its event loop. The connection opens after the START frame of the other end, so
 * connecting to a foreign port yields a clear message. When a handler refuses a frame, reading pauses: the frame is
 * passed again every millisecond, and no later frame in the meantime. A silent peer, without even pings, is
 * disconnected.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail
public final class NettyConnection extends ChannelInboundHandlerAdapter
        implements Connection, FrameReader.Frames, PeerWatch.Watched {
    private static final long RETRY_MS = 1;
    private static final long CLOSE_MS_MAX = 1_000;

    private final Channel channel;
    private final EventLoop loop;
    private final NodePort port;
    private final Supplier<ConnectionHandler> handlers;
    private final FrameSender sender;
    private final FrameReader reader;
    private final PeerWatch watch;
    private final CreditWindow credit = new CreditWindow();
    private final FrameReceiver receiver;
    private final Runnable returnCredit = this::returnCredit;
    private final Runnable resume = this::resume;
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();

    /** Handler of an outgoing connection, notified of the end even before the START frame; null if accepted. */
    private final ConnectionHandler connector;

    private volatile String remote;
    private volatile PeerCertificate certificate;
    private ConnectionState state = ConnectionState.STARTING;
    private ConnectionHandler handler;
    private String reason;

    private NettyConnection(
            Channel channel,
            NodePort port,
            Supplier<ConnectionHandler> handlers,
            ConnectionHandler connector,
            String remote) {
        this.channel = channel;
        this.port = port;
        this.handlers = handlers;
        this.connector = connector;
        this.handler = connector;
        this.remote = remote;
        loop = channel.eventLoop();
        sender = new FrameSender(channel, credit, port.counters());
        receiver = new FrameReceiver(channel, credit, sender, port.counters());
        reader = new FrameReader(channel.alloc(), this);
        watch = new PeerWatch(channel, sender, port.timing(), this);
    }

    /**
     * Creates the end of an accepted connection.
     *
     * @param channel channel, registered with its event loop
     * @param handlers returns the handler; called once, after the START frame of the other end
     */
    public static NettyConnection accepted(Channel channel, NodePort port, Supplier<ConnectionHandler> handlers) {
        return new NettyConnection(channel, port, handlers, null, null);
    }

    /**
     * Creates the end of an outgoing connection.
     *
     * @param channel channel, registered with its event loop
     */
    public static NettyConnection outgoing(Channel channel, NodePort port, Endpoint remote, ConnectionHandler handler) {
        return new NettyConnection(channel, port, () -> handler, handler, remote.toString());
    }

    // Any thread

    @Override
    public boolean offer(DirectBuffer buffer, int offset, int length) {
        return sender.offer(buffer, offset, length);
    }

    @Override
    public void consumed(int bytes) {
        if (receiver.consume(bytes)) {
            execute(returnCredit);
        }
    }

    @Override
    public boolean hasCaughtUp() {
        return credit.isReturned();
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

    /** Sets the certificate authenticated by TLS. Event loop, before the first frame. */
    void authenticated(PeerCertificate peer) {
        certificate = peer;
    }

    /** Closes the connection because the other end has not shown a certificate of the cluster. Event loop. */
    void refuseCertificate(String cluster, String subject) {
        port.counters().increment(ChannelCounter.TLS_PEERS_REFUSED);
        fail("Closed the connection with " + remote + ": its certificate (" + subject
                + ") names no node of the cluster " + cluster + ". Issue one with the URI chimera://" + cluster
                + "/<role>/<id> (chimera tls issue).");
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
        watch.start();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        watch.heard();
        held.add((ByteBuf) message);
        if (state != ConnectionState.PAUSED) {
            readHeld();
        }
    }

    /** Reads the buffered input, oldest first, until the handler refuses a frame. */
    private void readHeld() {
        for (ByteBuf in = held.peek(); in != null && state != ConnectionState.PAUSED; in = held.peek()) {
            FrameReader.Outcome outcome = isClosing() ? FrameReader.Outcome.CONSUMED : reader.read(in);
            if (outcome == FrameReader.Outcome.REFUSED && !isClosing()) {
                pause();
            } else {
                held.poll().release();
            }
            if (outcome == FrameReader.Outcome.BROKEN) {
                reject(reader.fault() + ". Check that the address belongs to a Chimera node of the same release.");
            }
        }
        receiver.publish();
    }

    private void pause() {
        state = ConnectionState.PAUSED;
        port.counters().increment(ChannelCounter.FRAMES_DEFERRED);
        channel.config().setAutoRead(false);
        Later.run(channel, RETRY_MS, resume);
    }

    private void resume() {
        if (state == ConnectionState.PAUSED) {
            state = ConnectionState.OPEN;
        }
        readHeld();
        if (state != ConnectionState.PAUSED) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public boolean onFrame(int kind, DirectBuffer buffer, int offset, int length) {
        if (isClosing()) {
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
        if (!receiver.receive(length)) {
            reject("it exceeded its credit.");
            return false;
        }
        boolean taken;
        try {
            taken = handler.onFrame(this, buffer, offset, length);
        } catch (RuntimeException e) {
            handlerFailed(e);
            return false;
        }
        if (taken) {
            receiver.accepted(length);
        }
        return taken;
    }

    private boolean onStart(DirectBuffer buffer, int offset) {
        int magic = buffer.getInt(offset, LITTLE_ENDIAN);
        int version = buffer.getInt(offset + 4, LITTLE_ENDIAN);
        if (magic != ChannelFrame.MAGIC || version != ChannelFrame.VERSION) {
            reject("it speaks version " + version + " of the channel protocol and this node version "
                    + ChannelFrame.VERSION + ". Run the same release on both.");
            return false;
        }
        if (!onCredit(buffer.getInt(offset + 8, LITTLE_ENDIAN))) {
            return false;
        }
        port.counters().increment(ChannelCounter.CONNECTIONS_OPENED);
        state = ConnectionState.OPEN;
        sender.open();
        try {
            handler = handlers.get();
            handler.onOpen(this);
        } catch (RuntimeException e) {
            handlerFailed(e);
        }
        return !isClosing();
    }

    private boolean onCredit(int bytes) {
        if (!credit.grant(bytes)) {
            reject("it granted " + Integer.toUnsignedString(bytes) + " bytes of credit, which exceeds the window of "
                    + CreditWindow.BYTES + ".");
            return false;
        }
        return true;
    }

    private void returnCredit() {
        try {
            receiver.returnCredit();
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

    @Override
    public ConnectionState state() {
        return state;
    }

    @Override
    public void onNoStart() {
        fail(remote + " accepted the connection but did not introduce itself as a Chimera node within "
                + port.timing().startMs() + " ms. Check that the address belongs to a node's channel.");
    }

    @Override
    public void onSilence(long silentMs) {
        port.counters().increment(ChannelCounter.PEERS_SILENT);
        fail("Closed the connection with " + remote + ": it sent nothing for " + silentMs
                + " ms. It is stopped, overloaded or unreachable.");
    }

    private void closeAfterQueue() {
        beginClosing("This node closed the connection with " + remote + ".");
        if (!channel.isActive()) {
            return;
        }
        sender.drainAll();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        Later.run(channel, CLOSE_MS_MAX, () -> channel.close());
    }

    private void handlerFailed(Throwable cause) {
        port.counters().increment(ChannelCounter.HANDLERS_FAILED);
        port.errors().onError(cause);
        fail("Closed the connection with " + remote + ": its handler failed with " + cause + ".");
    }

    /** Ends the connection of a peer that violates the protocol. */
    private void reject(String fault) {
        port.counters().increment(ChannelCounter.FRAMES_REJECTED);
        fail("Closed the connection with " + remote + ": " + fault);
    }

    private void fail(String newReason) {
        beginClosing(newReason);
        sender.stop();
        channel.close();
    }

    private boolean isClosing() {
        return state == ConnectionState.CLOSING;
    }

    private void beginClosing(String newReason) {
        because(newReason);
        if (state == ConnectionState.STARTING && connector != null) {
            port.counters().increment(ChannelCounter.CONNECTS_FAILED);
        } else if (state == ConnectionState.OPEN || state == ConnectionState.PAUSED) {
            port.counters().increment(ChannelCounter.CONNECTIONS_CLOSED);
        }
        state = ConnectionState.CLOSING;
    }

    /** Sets the reason of the end unless already set: the first reason is the cause, later ones are consequences. */
    public void because(String newReason) {
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
        beginClosing(remote + " closed the connection.");
        receiver.publish();
        sender.close();
        reader.close();
        for (ByteBuf in = held.poll(); in != null; in = held.poll()) {
            in.release();
        }
        if (handler != null) {
            try {
                handler.onClose(reason);
            } catch (RuntimeException e) {
                port.errors().onError(e);
            }
        }
    }
}
