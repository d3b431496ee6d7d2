package io.chimera.common.channel.netty.tcp;

import io.chimera.api.spi.Chunk;
import io.chimera.common.channel.StreamHandler;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Unconsumed bytes of a TCP connection, on its event loop. Received bytes collect in a bounded array; the handler gets
 * all unconsumed bytes, and the rest moves to the front.
 */
final class TcpInput implements AutoCloseable {
    /** Initial buffer, a few lines: connections with little input need little memory. */
    private static final int BYTES_FIRST = 4 << 10;

    /** Maximum buffer of a connection without unconsumed input. */
    private static final int BYTES_KEPT_MAX = 128 << 10;

    private static final byte[] NO_BYTES = {};

    /** Result of passing a chunk. */
    enum Outcome {
        /** The handler consumed the complete lines. */
        TAKEN,
        /** The handler has no room; the same chunk is passed again before any other input. */
        REFUSED,
        /** An incomplete line has more than the maximum length. */
        TOO_LONG
    }

    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();
    private final Chunk chunk = new Chunk();
    /** Buffer; grows to the client's largest amount of unconsumed input. */
    private byte[] bytes = NO_BYTES;

    private int length;
    private long consumed;
    private boolean isRefused;

    /** Adds received bytes, and takes the ownership of the buffer. */
    void add(ByteBuf in) {
        held.add(in);
    }

    /** Returns whether bytes were not passed yet. */
    boolean hasNext() {
        return isRefused || !held.isEmpty();
    }

    /** Passes the refused chunk again, or the next received bytes. */
    Outcome passNext(StreamHandler handler) {
        if (isRefused) {
            return pass(handler);
        }
        ByteBuf in = held.peek();
        makeRoom(length + in.readableBytes(), handler.unconsumedMax() + TcpPort.READ_BYTES_MAX);
        int count = Math.min(in.readableBytes(), bytes.length - length);
        in.readBytes(bytes, length, count);
        length += count;
        if (!in.isReadable()) {
            held.poll().release();
        }
        chunk.wrap(bytes, 0, length, false);
        return pass(handler);
    }

    /** Passes the incomplete last line as a line, once. */
    Outcome passLast(StreamHandler handler) {
        if (length == 0 || chunk.last()) {
            return Outcome.TAKEN;
        }
        chunk.wrap(bytes, 0, length, true);
        return pass(handler);
    }

    /** Enlarges the buffer up to a maximum: an incomplete line of the maximum length, plus one read. */
    private void makeRoom(int needed, int bytesMax) {
        if (needed > bytes.length && bytes.length < bytesMax) {
            int doubled = Math.max(BYTES_FIRST, Integer.highestOneBit(Math.max(1, needed - 1)) << 1);
            bytes = Arrays.copyOf(bytes, Math.min(bytesMax, doubled));
        }
    }

    private Outcome pass(StreamHandler handler) {
        isRefused = !handler.onBytes(chunk);
        if (isRefused) {
            return Outcome.REFUSED;
        }
        int rest = chunk.limit() - chunk.offset();
        consumed += chunk.offset();
        if (bytes.length > BYTES_KEPT_MAX && rest <= BYTES_FIRST) {
            bytes = Arrays.copyOfRange(bytes, chunk.offset(), chunk.offset() + BYTES_FIRST); // zeros after the rest
        } else if (chunk.offset() > 0) {
            System.arraycopy(bytes, chunk.offset(), bytes, 0, rest);
        }
        length = rest;
        return rest > handler.unconsumedMax() ? Outcome.TOO_LONG : Outcome.TAKEN;
    }

    /** Number of consumed bytes of complete lines. */
    long consumed() {
        return consumed;
    }

    /** Returns whether an incomplete line is buffered. */
    boolean isUnfinished() {
        return length > 0;
    }

    @Override
    public void close() {
        for (ByteBuf in = held.poll(); in != null; in = held.poll()) {
            in.release();
        }
    }
}
