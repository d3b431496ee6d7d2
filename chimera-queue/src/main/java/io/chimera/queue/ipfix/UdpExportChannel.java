package io.chimera.queue.ipfix;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages as datagrams, evenly: a collector on the same machine loses what comes faster than it reads, and nobody says so.
 * Where nobody listens the machine of the collector may say it: the message that found nobody is counted, and sending goes on.
 */
final class UdpExportChannel implements ExportChannel {
    private static final Logger LOG = LoggerFactory.getLogger(UdpExportChannel.class);
    private static final long NS_PER_S = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    /** Messages in a row: 32 of 1,400 bytes take a third of the socket buffer that Linux gives a collector by default. */
    private static final int BURST = 32;

    private static final int SEND_BUFFER_BYTES = 1 << 20;

    private final Endpoint collector;
    private final int messagesPerSecond;
    private final Counters<QueueCounter> counters;
    private DatagramChannel channel;
    private long retryNs;
    private boolean isRetrying;
    private boolean isFailing;
    private long paidNs;
    private int recordsSentLast;

    /**
     * A channel that is not open yet.
     *
     * @param collector where to
     * @param messagesPerSecond at most; 0: no bound
     * @param counters the node's
     */
    UdpExportChannel(Endpoint collector, int messagesPerSecond, Counters<QueueCounter> counters) {
        this.collector = collector;
        this.messagesPerSecond = messagesPerSecond;
        this.counters = counters;
    }

    @Override
    public int proceed(long nowNs) {
        if (channel != null || (isRetrying && nowNs - retryNs < 0)) {
            return 0;
        }
        try {
            DatagramChannel opened = DatagramChannel.open();
            channel = opened;
            opened.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
            opened.configureBlocking(false);
            opened.connect(new InetSocketAddress(collector.host(), collector.port()));
            paidNs = nowNs;
            return 1;
        } catch (IOException | RuntimeException e) { // a name that is not known is an unchecked exception
            close();
            isRetrying = true;
            retryNs = nowNs + RETRY_NS;
            failed(e);
            return 0;
        }
    }

    private void failed(Exception e) {
        if (!isFailing) {
            isFailing = true;
            LOG.warn(
                    "Flow records do not reach the collector {}: {}. Start it, or correct its address.",
                    collector,
                    e.toString());
        }
    }

    /** Always the same one: datagrams have no connection. */
    @Override
    public int session() {
        return channel == null ? NO_SESSION : 1;
    }

    @Override
    public boolean send(ByteBuffer message, int records, long nowNs) {
        if (!isPaid(nowNs)) {
            return false;
        }
        try {
            if (channel.write(message) == 0) {
                return false;
            }
            isFailing = false;
        } catch (IOException e) { // it is about the message before, and this one was not sent
            counters.add(QueueCounter.IPFIX_EXPORT_RECORDS_LOST, recordsSentLast);
            recordsSentLast = 0;
            failed(e);
            return false;
        }
        recordsSentLast = records;
        if (messagesPerSecond > 0) {
            paidNs += NS_PER_S / messagesPerSecond;
        }
        return true;
    }

    /** Whether it is time for a message: each moves the time of the next on, and what is left of the past is a burst at most. */
    private boolean isPaid(long nowNs) {
        if (messagesPerSecond == 0) {
            return true;
        }
        long burstNs = BURST * NS_PER_S / messagesPerSecond;
        if (nowNs - paidNs > burstNs) {
            paidNs = nowNs - burstNs;
        }
        return nowNs - paidNs > 0;
    }

    @Override
    public boolean isFlushed() {
        return true;
    }

    @Override
    public void close() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.warn("The socket to the collector {} cannot be closed: {}.", collector, e.toString());
            }
            channel = null;
        }
    }
}
