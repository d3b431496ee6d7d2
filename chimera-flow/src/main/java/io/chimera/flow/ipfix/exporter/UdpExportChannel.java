package io.chimera.flow.ipfix.exporter;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages as evenly paced datagrams: even on the same machine, a collector silently loses datagrams that arrive
 * faster than it reads. When no program listens, the collector's machine may answer with an ICMP error: the refused
 * message is counted as lost, and sending continues.
 */
final class UdpExportChannel implements ExportChannel {
    private static final Logger LOG = LoggerFactory.getLogger(UdpExportChannel.class);
    private static final long NS_PER_S = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    /** Maximum burst of messages: 32 of 1,400 bytes fill a third of a collector's default socket buffer on Linux. */
    private static final int BURST = 32;

    private static final int SEND_BUFFER_BYTES = 1 << 20;

    private final Endpoint collector;
    private final int messagesPerSecond;
    private final Counters<QueueCounter> counters;
    /** The open socket; null before the first attempt and after an error. */
    private @Nullable DatagramChannel channel;

    private long retryNs;
    private boolean isRetrying;
    private boolean isFailing;
    private long paidNs;
    private int recordsSentLast;

    /**
     * Creates an unopened channel.
     *
     * @param collector address of the collector
     * @param messagesPerSecond maximum rate; 0: unlimited
     * @param counters counters of the node
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
        } catch (IOException | RuntimeException e) { // an unresolved host name is an unchecked exception
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
                    "Cannot send flow records to collector {}: {}. Start the collector or correct the address.",
                    collector,
                    e.toString());
        }
    }

    /** Returns a constant session once the socket is open: datagrams have no connection. */
    @Override
    public int session() {
        return channel == null ? NO_SESSION : 1;
    }

    @Override
    public boolean send(ByteBuffer message, int records, long nowNs) {
        DatagramChannel open = channel;
        if (open == null || !isPaid(nowNs)) {
            return false;
        }
        try {
            if (open.write(message) == 0) {
                return false;
            }
            isFailing = false;
        } catch (IOException e) { // the error belongs to the previous message; this message was not sent
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

    /**
     * Whether the rate limit permits a message. Each message advances the paid time; unused time is capped at one
     * burst.
     */
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
                LOG.warn("Cannot close the socket of collector {}: {}.", collector, e.toString());
            }
            channel = null;
        }
    }
}
