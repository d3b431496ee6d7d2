package io.chimera.flow.ipfix.exporter;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages over a TCP connection, and reconnects after a failure. When a connection breaks, the amount of
 * buffered data already read by the collector is unknown: the affected records are counted and logged by number, and
 * not resent. The same applies to a connection closed while the collector does not read.
 */
final class TcpExportChannel implements ExportChannel {
    private static final Logger LOG = LoggerFactory.getLogger(TcpExportChannel.class);
    private static final long PAUSE_NS_MIN = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PAUSE_NS_MAX = TimeUnit.SECONDS.toNanos(10);
    private static final long CONNECT_NS_MAX = TimeUnit.SECONDS.toNanos(10);

    /**
     * Send buffer: 1 MiB, doubled by the operating system. A larger buffer would only raise the number of unconfirmed
     * records.
     */
    private static final int SEND_BUFFER_BYTES = 1 << 20;

    /** Maximum receive buffer of a collector with Linux defaults (tcp_rmem). */
    private static final int RECEIVE_BUFFER_BYTES = 6 << 20;

    private static final int SCRATCH_BYTES = 512;

    private final Endpoint collector;
    private final Counters<QueueCounter> counters;
    private final ByteBuffer rest;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private final Unconfirmed unconfirmed = new Unconfirmed();
    /** The connection, or the attempt to connect; null between attempts. */
    private @Nullable SocketChannel channel;

    private boolean isConnected;
    private int session;
    private long sinceNs;
    private long pauseNs;
    private boolean isFailing;
    private long bufferBytes;

    /** Whether the socket buffers are full: the collector does not read, or reads too slowly. */
    private boolean isStuck;

    /**
     * Creates an unconnected channel.
     *
     * @param collector address of the collector
     * @param messageBytesMax maximum bytes of a message
     * @param counters counters of the node
     */
    TcpExportChannel(Endpoint collector, int messageBytesMax, Counters<QueueCounter> counters) {
        this.collector = collector;
        this.counters = counters;
        rest = ByteBuffer.allocateDirect(messageBytesMax).limit(0);
    }

    @Override
    public int proceed(long nowNs) {
        try {
            SocketChannel current = channel;
            if (current == null) {
                return connect(nowNs);
            }
            return isConnected ? flush(current) : finishConnect(current, nowNs);
        } catch (IOException | RuntimeException e) { // an unresolved host name is an unchecked exception
            broken(e, nowNs);
            return 1;
        }
    }

    private int connect(long nowNs) throws IOException {
        if (pauseNs > 0 && nowNs - sinceNs < pauseNs) {
            return 0;
        }
        sinceNs = nowNs;
        SocketChannel opened = SocketChannel.open();
        channel = opened;
        opened.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
        opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
        opened.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        opened.configureBlocking(false);
        if (opened.connect(new InetSocketAddress(collector.host(), collector.port()))) {
            connected(opened);
        }
        return 1;
    }

    private int finishConnect(SocketChannel opened, long nowNs) throws IOException {
        if (opened.finishConnect()) {
            connected(opened);
            return 1;
        }
        if (nowNs - sinceNs > CONNECT_NS_MAX) {
            throw new IOException("connect timed out after 10 s");
        }
        return 0;
    }

    private void connected(SocketChannel opened) throws IOException {
        isConnected = true;
        pauseNs = 0;
        session++;
        bufferBytes = (long) RECEIVE_BUFFER_BYTES + opened.getOption(StandardSocketOptions.SO_SNDBUF);
        if (isFailing || session > 1) {
            LOG.info("Connected to collector {} again; sending flow records.", collector);
        }
        isFailing = false;
    }

    /**
     * Sends the rest of a message. Reads first, because a collector sends no data and end of stream reveals a closed
     * connection.
     */
    private int flush(SocketChannel current) throws IOException {
        if (current.read(scratch.clear()) < 0) {
            throw new EOFException("connection closed by the collector");
        }
        if (!rest.hasRemaining()) {
            return 0;
        }
        int bytes = current.write(rest);
        isStuck = rest.hasRemaining();
        return bytes;
    }

    @Override
    public int session() {
        return isConnected ? session : NO_SESSION;
    }

    @Override
    public boolean send(ByteBuffer message, int records, long nowNs) {
        SocketChannel current = channel;
        if (current == null || !isConnected || rest.hasRemaining()) {
            return false;
        }
        int length = message.remaining();
        try {
            isStuck = current.write(message) < length;
            if (message.remaining() == length) {
                return false;
            }
        } catch (IOException e) {
            broken(e, nowNs);
            return false;
        }
        rest.clear().put(message).flip();
        unconfirmed.sent(length, records, bufferBytes);
        return true;
    }

    private void broken(Exception cause, long nowNs) {
        if (unconfirmed.records() > 0) {
            tellUnconfirmed("broke (" + cause + ")");
        } else if (!isFailing) {
            LOG.warn(
                    "Cannot connect to collector {}: {}. Start the collector or correct the address; flow records"
                            + " wait.",
                    collector,
                    cause.toString());
        }
        isFailing = true;
        if (isConnected) {
            counters.increment(QueueCounter.IPFIX_EXPORT_CONNECTIONS_LOST);
        }
        close();
        sinceNs = nowNs;
        pauseNs = Math.min(PAUSE_NS_MAX, Math.max(PAUSE_NS_MIN, 2 * pauseNs));
    }

    private void tellUnconfirmed(String what) {
        long records = unconfirmed.records();
        counters.add(QueueCounter.IPFIX_EXPORT_RECORDS_UNCONFIRMED, records);
        LOG.warn(
                "The connection to collector {} {}. The last {} flow records (numbers {} to {} of this connection) may"
                        + " not have arrived.",
                collector,
                what,
                records,
                unconfirmed.total() - records,
                unconfirmed.total() - 1);
        unconfirmed.clear();
    }

    @Override
    public boolean isFlushed() {
        return !rest.hasRemaining();
    }

    @Override
    public void close() {
        if (isStuck && unconfirmed.records() > 0) {
            tellUnconfirmed("was closed while the collector did not read");
        }
        isStuck = false;
        isConnected = false;
        unconfirmed.clear();
        rest.clear().limit(0);
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.warn("Cannot close the connection to collector {}: {}.", collector, e.toString());
            }
            channel = null;
        }
    }
}
