package io.chimera.common.channel.netty;

import io.chimera.common.channel.DatagramHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.Listeners;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.channel.netty.http.HttpPort;
import io.chimera.common.channel.netty.socket.Addresses;
import io.chimera.common.channel.netty.socket.Handshakes;
import io.chimera.common.channel.netty.socket.PlainTextGuard;
import io.chimera.common.channel.netty.socket.Stopping;
import io.chimera.common.channel.netty.tcp.TcpPort;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.security.Tls;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/** HTTP, TCP and UDP listeners of a node. The event loops of {@link ChannelThreads} call the handlers. */
public final class NettyListeners implements Listeners {
    private static final int BACKLOG = 1024;

    /**
     * Requested receive buffer for datagrams: 4 MiB = 100,000 datagrams/s x 400 bytes x 100 ms. The system limits the
     * buffer to net.core.rmem_max.
     */
    private static final int DATAGRAM_BUFFER_BYTES = 4 << 20;

    /** Maximum number of datagrams per read: 16 x 64 KiB are at most 1 MiB. */
    private static final int DATAGRAMS_PER_READ = 16;

    private static final int READ_BYTES_MIN = 2 << 10;
    private static final int READ_BYTES_FIRST = 16 << 10;

    private final ChannelThreads threads;
    private final Counters<ChannelCounter> counters;
    private final ErrorHandler errors;
    private final ChannelGroup channels;
    private final ChannelGroup connections;
    private final Map<Endpoint, Tls> tls;
    private final Stopping stopping = new Stopping();
    private final PortSharing sharing;

    /**
     * Creates listeners without a port.
     *
     * @param threads shared with the node's transport; remains open after {@link #close}
     * @param counters counters of the connections
     * @param errors handler of failures inside handlers
     */
    public NettyListeners(ChannelThreads threads, Counters<ChannelCounter> counters, ErrorHandler errors) {
        this(threads, counters, errors, Map.of());
    }

    /**
     * Creates listeners without a port.
     *
     * @param tls configured addresses with TLS-only HTTP and TCP
     */
    public NettyListeners(
            ChannelThreads threads, Counters<ChannelCounter> counters, ErrorHandler errors, Map<Endpoint, Tls> tls) {
        this(threads, counters, errors, tls, PortSharing.NONE);
    }

    /**
     * Creates listeners without a port.
     *
     * @param tls configured addresses with TLS-only HTTP and TCP
     * @param sharing use of the ports together with other lanes of the process
     */
    public NettyListeners(
            ChannelThreads threads,
            Counters<ChannelCounter> counters,
            ErrorHandler errors,
            Map<Endpoint, Tls> tls,
            PortSharing sharing) {
        this.threads = threads;
        this.sharing = sharing;
        this.tls = Map.copyOf(tls);
        this.counters = counters;
        this.errors = errors;
        channels = new DefaultChannelGroup(threads.loops().next(), true);
        connections = new DefaultChannelGroup(threads.loops().next(), true);
    }

    @Override
    public Endpoint http(Endpoint local, HttpHandler handler, Limits limits) {
        check(limits);
        HttpPort port = new HttpPort(handler, limits, counters, errors, stopping);
        return accept(local, HttpPort.READ_BYTES_MAX, 1, false, port::accept);
    }

    @Override
    public Endpoint tcp(Endpoint local, Supplier<StreamHandler> handlers, Limits limits) {
        check(limits);
        TcpPort port = new TcpPort(handlers, limits, counters, errors);
        return accept(local, TcpPort.READ_BYTES_MAX, TcpPort.READS_MAX, true, port::accept);
    }

    @Override
    public Endpoint udp(Endpoint local, DatagramHandler handler) {
        Bootstrap bootstrap = new Bootstrap()
                .group(threads.loops())
                .channel(NioDatagramChannel.class)
                .option(ChannelOption.SO_RCVBUF, DATAGRAM_BUFFER_BYTES)
                .option(ChannelOption.ALLOCATOR, threads.allocator())
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(UdpPort.DATAGRAM_LENGTH_MAX)
                                .maxMessagesPerRead(DATAGRAMS_PER_READ))
                .handler(new UdpPort(handler, counters, errors));
        return listening(sharing.bind(bootstrap, local, PortSharing.UDP), local);
    }

    /**
     * Binds a listener.
     *
     * @param readsMax maximum number of consecutive reads while each read fills its buffer; a paused connection stops
     *     reading
     */
    @SuppressWarnings("FutureReturnValueIgnored") // closing does not fail
    private Endpoint accept(
            Endpoint local, int readBytesMax, int readsMax, boolean halfClosure, Consumer<Channel> initializer) {
        Tls secured = tls.get(local);
        Handshakes handshakes = new Handshakes(counters);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(threads.loops())
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, halfClosure)
                .childOption(ChannelOption.ALLOCATOR, threads.allocator())
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, readBytesMax)
                                .maxMessagesPerRead(readsMax))
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                        if (secured == null || handshakes.accept(channel, secured.serverEngine())) {
                            initializer.accept(channel);
                        }
                        if (secured != null && channel.isOpen()) {
                            channel.pipeline().addFirst(new PlainTextGuard());
                        }
                        if (stopping.hasBegun()) {
                            channel.close(); // accepted after the stop notification
                        }
                    }
                });
        return listening(sharing.bind(bootstrap, local, PortSharing.TCP), local);
    }

    private Endpoint listening(Channel channel, Endpoint local) {
        Endpoint bound = Addresses.bound(channel, local);
        channels.add(channel);
        return bound;
    }

    private static void check(Limits limits) {
        if (limits.bodyBytesMax() < 1
                || limits.ratioMax() < 1
                || limits.inFlightBytesMax() < limits.bodyBytesMax()
                || limits.connectionsMax() < 1
                || limits.clientPercent() < 1
                || limits.clientPercent() > 100
                || limits.pace().idleMs() < 1) {
            throw new IllegalArgumentException(
                    "Limits must be at least 1, and inFlightBytesMax at least bodyBytesMax: " + limits);
        }
    }

    @Override
    public void unbind() {
        // the group itself, once closed, would close every later channel
        channels.forEach(channel -> channel.close().awaitUninterruptibly());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // closing does not fail
    public void stop() {
        stopping.begin();
        channels.close();
        connections.forEach(connection -> connection.pipeline().fireUserEventTriggered(stopping));
    }

    @Override
    public int unanswered() {
        return stopping.unanswered();
    }

    @Override
    public void close() {
        threads.closeAll(channels);
        threads.closeAll(connections);
    }
}
