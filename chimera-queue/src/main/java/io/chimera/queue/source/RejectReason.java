package io.chimera.queue.source;

import io.chimera.api.HotPath;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rejected data of one input with one reason: a count, and one sample between two log lines. Senders' threads count and take
 * the sample, the thread of the log reads them.
 */
final class RejectReason {
    /** Bytes of a sample: enough to recognise a protocol. */
    private static final int SAMPLE_LENGTH_MAX = 512;

    /**
     * The first rejected data since the last log line.
     *
     * @param octets its beginning, one character per byte
     */
    record Sample(String octets, long line, InetSocketAddress sender) {
        byte[] bytes() {
            return octets.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private final String text;
    private final long sinceMs;
    private final AtomicLong count = new AtomicLong();
    private final AtomicBoolean wantsSample = new AtomicBoolean(true);
    private volatile long lastNs;
    private volatile Sample sample;

    // Of the thread of the log alone.
    private long loggedCount;
    private boolean isLogged;
    private long loggedNs;

    /** What the last log line said. */
    private volatile String remedy = "";

    private volatile InetSocketAddress sender;

    /**
     * A reason without data.
     *
     * @param text fit for a log line
     * @param sinceMs when it begins, milliseconds since 1970
     * @param nowNs the same moment by the monotonic clock
     */
    RejectReason(String text, long sinceMs, long nowNs) {
        this.text = text;
        this.sinceMs = sinceMs;
        lastNs = nowNs;
    }

    /** Counts rejected data; true when it became the sample. Any thread. */
    @HotPath
    boolean record(byte[] bytes, int offset, int length, long line, InetSocketAddress from, long nowNs) {
        count.getAndIncrement();
        lastNs = nowNs;
        return wantsSample.get() && wantsSample.compareAndSet(true, false) && take(bytes, offset, length, line, from);
    }

    private boolean take(byte[] bytes, int offset, int length, long line, InetSocketAddress from) {
        int kept = Math.min(length, SAMPLE_LENGTH_MAX);
        sample = new Sample(new String(bytes, offset, kept, StandardCharsets.ISO_8859_1), line, from);
        sender = from;
        return true;
    }

    String text() {
        return text;
    }

    /** Beginning of the reason, milliseconds since 1970. */
    long sinceMs() {
        return sinceMs;
    }

    long count() {
        return count.get();
    }

    long lastNs() {
        return lastNs;
    }

    String remedy() {
        return remedy;
    }

    /** Sender of the last sample; null before the first and where it is not known. */
    InetSocketAddress sender() {
        return sender;
    }

    /** The sample that waits for a log line; null when there is none. */
    Sample sample() {
        return sample;
    }

    /** Whether a log line is due, at most one in a period. */
    boolean isDue(long nowNs, long periodNs) {
        return sample != null && (!isLogged || nowNs - loggedNs >= periodNs);
    }

    /** Takes note of a log line; returns the number of rejections since the one before. */
    long logged(long nowNs, String newRemedy) {
        long total = count.get();
        long since = total - loggedCount;
        loggedCount = total;
        isLogged = true;
        loggedNs = nowNs;
        remedy = newRemedy;
        sample = null;
        wantsSample.set(true);
        return since;
    }
}
