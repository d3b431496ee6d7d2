package io.chimera.queue.source.reject;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rejected data of one input with one reason: a count, and one sample per log line. Senders' threads count and set the
 * sample, the log's thread reads them.
 */
final class RejectReason {
    /** Bytes of a sample: enough to recognise a protocol. */
    private static final int SAMPLE_LENGTH_MAX = 512;

    /**
     * First rejected data since the last log line.
     *
     * @param octets beginning of the data, one character per byte
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

    // Used by the log's thread only.
    private long loggedCount;
    private boolean isLogged;
    private long loggedNs;

    /** Remedy in the last log line. */
    private volatile String remedy = "";

    private volatile InetSocketAddress sender;

    /**
     * Creates a reason with a count of 0.
     *
     * @param text text fit for a log line
     * @param sinceMs time of the first occurrence, milliseconds since 1970
     * @param nowNs the same time by the monotonic clock
     */
    RejectReason(String text, long sinceMs, long nowNs) {
        this.text = text;
        this.sinceMs = sinceMs;
        lastNs = nowNs;
    }

    /** Counts rejected data; true when the data became the sample. Thread-safe. */
    @HotPath
    boolean record(byte[] bytes, int offset, int length, long line, InetSocketAddress from, long nowNs) {
        count.getAndIncrement();
        lastNs = nowNs;
        return wantsSample.get() && wantsSample.compareAndSet(true, false) && take(bytes, offset, length, line, from);
    }

    @ColdPath
    private boolean take(byte[] bytes, int offset, int length, long line, InetSocketAddress from) {
        int kept = Math.min(length, SAMPLE_LENGTH_MAX);
        sample = new Sample(new String(bytes, offset, kept, StandardCharsets.ISO_8859_1), line, from);
        sender = from;
        return true;
    }

    String text() {
        return text;
    }

    /** Time of the first occurrence, milliseconds since 1970. */
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

    /** Sender of the last sample; null before the first sample and for an unknown sender. */
    InetSocketAddress sender() {
        return sender;
    }

    /** Sample for the next log line, or null. */
    Sample sample() {
        return sample;
    }

    /** Whether a log line is due, at most one per period. */
    boolean isDue(long nowNs, long periodNs) {
        return sample != null && (!isLogged || nowNs - loggedNs >= periodNs);
    }

    /** Records a log line; returns the number of rejections since the previous line. */
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
