package io.chimera.queue.ipfix;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages over a TCP connection, and makes another one when it breaks. Of a connection that broke nobody knows how much of what
 * the systems held had been read; those records are counted and named by their numbers, and not sent again. So are those of a
 * connection that is closed while the collector does not read.
 */
final class TcpExportChannel implements ExportChannel {
    private static final Logger LOG = LoggerFactory.getLogger(TcpExportChannel.class);
    private static final long PAUSE_NS_MIN = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PAUSE_NS_MAX = TimeUnit.SECONDS.toNanos(10);
    private static final long CONNECT_NS_MAX = TimeUnit.SECONDS.toNanos(10);

    /** What the system may hold: 1 MiB, which it takes twice. More would only be more to be unsure of. */
    private static final int SEND_BUFFER_BYTES = 1 << 20;

    /** What the system of a collector holds at most, as Linux is set (tcp_rmem). */
    private static final int RECEIVE_BUFFER_BYTES = 6 << 20;

    private static final int SCRATCH_BYTES = 512;

    private final Endpoint collector;
    private final Counters<QueueCounter> counters;
    private final ByteBuffer rest;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private final Unconfirmed unconfirmed = new Unconfirmed();
    private SocketChannel channel;
    private boolean isConnected;
    private int session;
    private long sinceNs;
    private long pauseNs;
    private boolean isFailing;
    private long bufferBytes;

    /** The systems are full: the collector does not read, or not fast enough. */
    private boolean isStuck;

    /**
     * A channel that is not connected yet.
     *
     * @param collector where to
     * @param messageBytesMax the largest message
     * @param counters the node's
     */
    TcpExportChannel(Endpoint collector, int messageBytesMax, Counters<QueueCounter> counters) {
        this.collector = collector;
        this.counters = counters;
        rest = ByteBuffer.allocateDirect(messageBytesMax).limit(0);
    }

    @Override
    public int proceed(long nowNs) {
        try {
            if (channel == null) {
                return connect(nowNs);
            }
            return isConnected ? flush() : finishConnect(nowNs);
        } catch (IOException | RuntimeException e) { // a name that is not known is an unchecked exception
            broken(e, nowNs);
            return 1;
        }
    }

    private int connect(long nowNs) throws IOException {
        if (pauseNs > 0 && nowNs - sinceNs < pauseNs) {
            return 0;
        }
        sinceNs = nowNs;
        channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.configureBlocking(false);
        if (channel.connect(new InetSocketAddress(collector.host(), collector.port()))) {
            connected();
        }
        return 1;
    }

    private int finishConnect(long nowNs) throws IOException {
        if (channel.finishConnect()) {
            connected();
            return 1;
        }
        if (nowNs - sinceNs > CONNECT_NS_MAX) {
            throw new IOException("no answer within 10 s");
        }
        return 0;
    }

    private void connected() throws IOException {
        isConnected = true;
        pauseNs = 0;
        session++;
        bufferBytes = (long) RECEIVE_BUFFER_BYTES + channel.getOption(StandardSocketOptions.SO_SNDBUF);
        if (isFailing || session > 1) {
            LOG.info("Flow records go to the collector {} again.", collector);
        }
        isFailing = false;
    }

    /** Sends what is left of a message, and looks whether the collector is still there: it sends nothing. */
    private int flush() throws IOException {
        if (channel.read(scratch.clear()) < 0) {
            throw new EOFException("the collector has closed the connection");
        }
        if (!rest.hasRemaining()) {
            return 0;
        }
        int bytes = channel.write(rest);
        isStuck = rest.hasRemaining();
        return bytes;
    }

    @Override
    public int session() {
        return isConnected ? session : NO_SESSION;
    }

    @Override
    public boolean send(ByteBuffer message, int records, long nowNs) {
        if (!isConnected || rest.hasRemaining()) {
            return false;
        }
        int length = message.remaining();
        try {
            isStuck = channel.write(message) < length;
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
                    "The collector {} cannot be reached: {}. Start it, or correct its address; flow records wait.",
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
                "The connection to the collector {} {}. Its last {} flow records, numbered {} to {} of that connection, may not"
                        + " have arrived.",
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
                LOG.warn("The connection to the collector {} cannot be closed: {}.", collector, e.toString());
            }
            channel = null;
        }
    }
}
