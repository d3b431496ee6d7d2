package io.chimera.common.channel.netty;

import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.channel.netty.node.NettyConnection;
import io.chimera.common.channel.netty.node.NodePort;
import io.chimera.common.channel.netty.node.PeerGate;
import io.chimera.common.channel.netty.node.PeerWatch;
import io.chimera.common.channel.netty.socket.Addresses;
import io.chimera.common.channel.netty.socket.Handshakes;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/** Framed connections over TCP. The event loops of {@link ChannelThreads} call the handlers. */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail
public final class NettyTransport implements Transport {
    private static final int CONNECT_TIMEOUT_MS = 3_000;

    /** Maximum number of accepted connections: a cluster of hundreds of nodes, two connections each. */
    private static final int CONNECTIONS_MAX = 1024;

    private static final int BACKLOG = 1024;

    /**
     * Read sizes up to 256 KiB: 4 frames of 64 KiB, so three of four frames are complete in one read and need no
     * assembly.
     */
    private static final RecvByteBufAllocator READS = new AdaptiveRecvByteBufAllocator(2 << 10, 16 << 10, 256 << 10);

    /**
     * Limit of Netty's outbound buffer for a blocked socket, 256 KiB plus one frame; further frames stay in the queue.
     */
    private static final WriteBufferWaterMark WRITES = new WriteBufferWaterMark(64 << 10, 256 << 10);

    private final ChannelThreads threads;
    private final Counters<ChannelCounter> counters;
    private final NodePort port;
    private final NodeTls tls;
    private final Handshakes handshakes;
    private final ChannelGroup channels;
    private final ChannelGroup accepted;
    private volatile boolean closed;

    /**
     * Creates a transport without connections.
     *
     * @param threads shared with the node's listeners; remains open after {@link #close}
     * @param counters counters of the connections
     * @param errors handler of failures inside connection handlers
     */
    public NettyTransport(ChannelThreads threads, Counters<ChannelCounter> counters, ErrorHandler errors) {
        this(threads, counters, errors, PeerWatch.Timing.DEFAULT, null);
    }

    /**
     * Creates a transport without connections.
     *
     * @param tls certificates of both ends of every connection; null for plaintext connections
     */
    public NettyTransport(ChannelThreads threads, Counters<ChannelCounter> counters, ErrorHandler errors, NodeTls tls) {
        this(threads, counters, errors, PeerWatch.Timing.DEFAULT, tls);
    }

    NettyTransport(
            ChannelThreads threads, Counters<ChannelCounter> counters, ErrorHandler errors, PeerWatch.Timing timing) {
        this(threads, counters, errors, timing, null);
    }

    private NettyTransport(
            ChannelThreads threads,
            Counters<ChannelCounter> counters,
            ErrorHandler errors,
            PeerWatch.Timing timing,
            NodeTls tls) {
        this.threads = threads;
        this.counters = counters;
        port = new NodePort(counters, errors, timing);
        this.tls = tls;
        handshakes = new Handshakes(counters);
        channels = new DefaultChannelGroup(threads.loops().next(), true);
        accepted = new DefaultChannelGroup(threads.loops().next());
    }

    @Override
    public void connect(Endpoint remote, ConnectionHandler handler) {
        if (closed) {
            throw new IllegalStateException("The transport is closed.");
        }
        InetSocketAddress literal = Addresses.literal(remote);
        if (literal != null) {
            connect(remote, literal, handler);
            return;
        }
        try {
            threads.resolver().execute(() -> lookUpAndConnect(remote, handler));
        } catch (RejectedExecutionException e) {
            failOnLoop(remote, handler, "too many pending host name lookups");
        }
    }

    private void lookUpAndConnect(Endpoint remote, ConnectionHandler handler) {
        try {
            InetAddress address = InetAddress.getByName(remote.host());
            connect(remote, new InetSocketAddress(address, remote.port()), handler);
        } catch (UnknownHostException e) {
            failOnLoop(remote, handler, Addresses.causeText(e));
        }
    }

    private void connect(Endpoint remote, InetSocketAddress address, ConnectionHandler handler) {
        Bootstrap bootstrap = new Bootstrap()
                .group(threads.loops())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.ALLOCATOR, threads.allocator())
                .option(ChannelOption.RECVBUF_ALLOCATOR, READS)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITES)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channels.add(channel);
                        add(channel, NettyConnection.outgoing(channel, port, remote, handler));
                    }
                });
        bootstrap.connect(address).addListener(future -> {
            if (!future.isSuccess()) {
                fail(remote, handler, Addresses.causeText(future.cause()));
            }
        });
    }

    private void failOnLoop(Endpoint remote, ConnectionHandler handler, String cause) {
        threads.loops().next().execute(() -> fail(remote, handler, cause));
    }

    private void fail(Endpoint remote, ConnectionHandler handler, String cause) {
        counters.increment(ChannelCounter.CONNECTS_FAILED);
        handler.onClose("Cannot connect to " + remote + ": " + cause
                + ". Check that the node is running and that the address is correct.");
    }

    @Override
    public Endpoint listen(Endpoint local, Supplier<ConnectionHandler> handlers) {
        if (closed) {
            throw new IllegalStateException("The transport is closed.");
        }
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(threads.loops())
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOCATOR, threads.allocator())
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, READS)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITES)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel, handlers);
                    }
                });
        Channel listener = Addresses.bind(bootstrap, local, "t");
        channels.add(listener);
        return Addresses.bound(listener, local);
    }

    private void accept(Channel channel, Supplier<ConnectionHandler> handlers) {
        if (accepted.size() >= CONNECTIONS_MAX) {
            counters.increment(ChannelCounter.CONNECTIONS_REFUSED);
            channel.close();
            return;
        }
        accepted.add(channel);
        channels.add(channel);
        add(channel, NettyConnection.accepted(channel, port, handlers));
    }

    /** Adds the handlers of a connection. The connection handles frames and idle detection; TLS precedes both. */
    private void add(Channel channel, NettyConnection connection) {
        if (tls == null) {
            channel.pipeline().addLast(connection);
            return;
        }
        boolean isAccepted = channel.parent() != null;
        boolean isRefused = isAccepted && !handshakes.accept(channel, tls.tls().nodeServerEngine());
        if (!isAccepted) {
            handshakes.open(channel, tls.tls().nodeClientEngine());
        }
        channel.pipeline().addLast(new PeerGate(tls.cluster(), connection), connection);
        if (isRefused) {
            connection.because("Too many TLS handshakes are running.");
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Channel channel : channels) {
            NettyConnection connection = channel.pipeline().get(NettyConnection.class);
            if (connection != null) {
                channel.eventLoop().execute(() -> connection.because("This node closed its channels."));
            }
        }
        threads.closeAll(channels);
    }
}
