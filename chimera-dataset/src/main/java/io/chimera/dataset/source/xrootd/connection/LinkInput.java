package io.chimera.dataset.source.xrootd.connection;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.xrootd.wire.AnswerException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * Input of a link. Small parts pass through a buffer of 16 KiB, so that header and body need one system call; longer
 * parts go straight into the destination. Used by one thread.
 */
public final class LinkInput {
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Reads at least one byte into a buffer with space. */
    @FunctionalInterface
    interface Bytes {
        void read(ByteBuffer into) throws IOException;
    }

    private final Bytes source;
    private final LongSupplier nanoTime;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    private long deadlineNs = NO_DEADLINE;
    private volatile long lastByteNs;

    LinkInput(Bytes source, Clock clock) {
        this.source = source;
        this.nanoTime = clock::nanoTime;
        this.lastByteNs = clock.nanoTime();
    }

    /** Time of the last received byte, by the clock. Any thread. */
    long lastByteNs() {
        return lastByteNs;
    }

    /** Lets reads fail from a time on. */
    void setDeadline(long ns) {
        deadlineNs = ns;
    }

    void removeDeadline() {
        deadlineNs = NO_DEADLINE;
    }

    /** Refuses bytes before TLS starts: an attacker could have put them there. */
    void checkEmpty() throws AnswerException {
        if (buffer.hasRemaining()) {
            throw new AnswerException("bytes arrived before TLS started");
        }
    }

    /**
     * Reads a small part.
     *
     * @param bytes length, at most 16 KiB
     * @return a view with exactly the part, valid until the next call
     */
    public ByteBuffer next(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            buffer.compact();
            while (buffer.position() < bytes) {
                read(buffer);
            }
            buffer.flip();
        }
        ByteBuffer part = buffer.slice(buffer.position(), bytes);
        buffer.position(buffer.position() + bytes);
        return part;
    }

    /** Fills a buffer from position to limit. */
    public void fill(ByteBuffer into) throws IOException {
        takeBuffered(into);
        while (into.hasRemaining()) {
            if (into.remaining() >= BUFFER_BYTES) {
                read(into);
            } else {
                refill();
                takeBuffered(into);
            }
        }
    }

    /** Discards bytes. */
    void skip(long bytes) throws IOException {
        long rest = bytes;
        while (rest > 0) {
            if (!buffer.hasRemaining()) {
                refill();
            }
            int count = (int) Math.min(rest, buffer.remaining());
            buffer.position(buffer.position() + count);
            rest -= count;
        }
    }

    private void takeBuffered(ByteBuffer into) {
        int count = Math.min(buffer.remaining(), into.remaining());
        if (count > 0) {
            into.put(buffer.slice(buffer.position(), count));
            buffer.position(buffer.position() + count);
        }
    }

    private void refill() throws IOException {
        buffer.clear();
        try {
            read(buffer);
        } finally {
            buffer.flip();
        }
    }

    private void read(ByteBuffer into) throws IOException {
        source.read(into);
        lastByteNs = nanoTime.getAsLong();
        if (deadlineNs != NO_DEADLINE && lastByteNs - deadlineNs > 0) {
            throw new SocketTimeoutException("the time limit ended within the answer");
        }
    }
}
