package io.chimera.bench.datasets.path;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.CloseHelper;

/**
 * TCP proxy on loopback with the round trip, rate and windows of a {@link PathModel}, because the kernels of containers
 * often lack netem. Models: a link of a rate that all connections share, the time of the way, one further round trip
 * for the handshake, and a window per connection with slow start. Does not model: loss, and the sockets of client and
 * server, whose buffers hold bytes in addition. Times are exact to about a millisecond.
 *
 * <p>One thread moves the bytes of all connections; {@link #close} ends it. Any thread may call the methods.
 */
public final class DelayProxy implements AutoCloseable {
    /** Maximum number of connections; further ones are refused. */
    private static final int CONNECTIONS_MAX = 512;

    private static final long SELECT_MS_MAX = 1_000;
    private static final long END_MS = 10_000;

    private final PathModel model;
    private final InetSocketAddress server;
    private final ServerSocketChannel listener;
    private final Selector selector;
    private final Thread thread;
    private final PieceBuffers pool = new PieceBuffers();
    private final AtomicLong bytes = new AtomicLong();
    private final PathLink upLink;
    private final PathLink downLink;
    private List<PathConnection> connections = new ArrayList<>();
    private volatile boolean isClosed;

    private DelayProxy(PathModel model, InetSocketAddress server, ServerSocketChannel listener, Selector selector) {
        this.model = model;
        this.server = server;
        this.listener = listener;
        this.selector = selector;
        long nowNs = System.nanoTime();
        upLink = new PathLink(model, nowNs);
        downLink = new PathLink(model, nowNs);
        thread = new Thread(this::run, "delay-proxy");
        thread.setDaemon(true);
    }

    /**
     * Starts a proxy.
     *
     * @param serverPort port of the server on loopback
     */
    public static DelayProxy start(PathModel model, int serverPort) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.bind(new InetSocketAddress(loopback, 0)).configureBlocking(false);
            Selector selector = Selector.open();
            listener.register(selector, SelectionKey.OP_ACCEPT);
            DelayProxy proxy = new DelayProxy(model, new InetSocketAddress(loopback, serverPort), listener, selector);
            proxy.thread.start();
            return proxy;
        } catch (IOException e) {
            listener.close();
            throw e;
        }
    }

    /** Returns the port on loopback for clients. */
    public int port() {
        return listener.socket().getLocalPort();
    }

    /** Returns the number of bytes that clients received over ended connections. */
    public long bytes() {
        return bytes.get();
    }

    private void run() {
        try {
            while (!isClosed) {
                accept();
                select(moveAll());
            }
        } catch (IOException e) {
            System.err.println("The delay proxy ended: " + e.getMessage());
        } finally {
            connections.forEach(this::end);
            CloseHelper.quietCloseAll(listener, selector);
        }
    }

    private void accept() throws IOException {
        for (SocketChannel client = listener.accept(); client != null; client = listener.accept()) {
            SocketChannel far = connections.size() < CONNECTIONS_MAX ? connect() : null;
            if (far == null) {
                client.close();
                continue;
            }
            for (SocketChannel channel : List.of(client, far)) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            connections.add(
                    new PathConnection(model, selector, client, far, upLink, downLink, pool, System.nanoTime()));
        }
    }

    /** Connects to the server; returns null when the server refuses. */
    private SocketChannel connect() {
        try {
            return SocketChannel.open(server);
        } catch (IOException e) {
            return null;
        }
    }

    /** Moves bytes of all connections; returns the time of the next move without an event of a socket. */
    private long moveAll() {
        long nextNs = PathDirection.NEVER;
        List<PathConnection> open = new ArrayList<>(connections.size());
        for (PathConnection connection : connections) {
            long nowNs = System.nanoTime();
            if (!isMoved(connection, nowNs) || connection.isDone()) {
                end(connection);
            } else {
                open.add(connection);
                nextNs = Math.min(nextNs, connection.nextNs(nowNs));
            }
        }
        if (open.size() > 1) {
            open.add(open.remove(0)); // another connection is the first to use the link
        }
        connections = open;
        return nextNs;
    }

    private static boolean isMoved(PathConnection connection, long nowNs) {
        try {
            connection.move(nowNs);
            return true;
        } catch (IOException e) {
            return false; // a socket was reset: the other end learns from the close
        }
    }

    private void end(PathConnection connection) {
        bytes.addAndGet(connection.bytes());
        connection.close();
    }

    private void select(long untilNs) throws IOException {
        long leftNs = untilNs == PathDirection.NEVER ? Long.MAX_VALUE : untilNs - System.nanoTime();
        if (leftNs <= 0) {
            selector.selectNow(this::ready);
        } else {
            long leftMs = Math.min(SELECT_MS_MAX, TimeUnit.NANOSECONDS.toMillis(leftNs) + 1);
            selector.select(this::ready, leftMs);
        }
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof PathConnection connection) {
            connection.ready(key);
        }
    }

    /** Ends all connections. */
    @Override
    public void close() {
        isClosed = true;
        selector.wakeup();
        try {
            thread.join(END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
