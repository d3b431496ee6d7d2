package io.chimera.api.spi;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A piece of input that a {@link Parser} consumes from the front. The source owns and reuses the chunk. Not
 * thread-safe.
 */
public final class Chunk {
    private byte[] bytes = new byte[0];
    private int offset;
    private int limit;
    private boolean last;
    private long unitNs = 1;
    private long line = 1;
    private @Nullable InetSocketAddress sender;
    private boolean isAbandoned;

    /** Creates an empty chunk. */
    public Chunk() {}

    /**
     * Points this chunk at new input. The line count continues; {@link #restart} resets the count.
     *
     * @param newBytes array with the input; must not change until the parser has consumed the input
     * @param newOffset index of the first byte
     * @param length number of bytes
     * @param isLast true when no more input follows, so that an unfinished last line counts as a line
     * @return this chunk
     */
    public Chunk wrap(byte[] newBytes, int newOffset, int length, boolean isLast) {
        bytes = newBytes;
        offset = newOffset;
        limit = newOffset + length;
        last = isLast;
        return this;
    }

    /**
     * Begins a new request and resets the line number to 1.
     *
     * @param newUnitNs nanoseconds per unit of the timestamps in the text, at least 1
     * @return this chunk
     */
    public Chunk restart(long newUnitNs) {
        unitNs = newUnitNs;
        line = 1;
        isAbandoned = false;
        return this;
    }

    /**
     * Sets the sender of the input.
     *
     * @param newSender address of the sender; null for an HTTP request
     * @return this chunk
     */
    public Chunk from(@Nullable InetSocketAddress newSender) {
        sender = newSender;
        return this;
    }

    /**
     * Returns the sender of the input.
     *
     * @return address of the sender of the datagram, or of the remote end of the connection; null for an HTTP request
     */
    public @Nullable InetSocketAddress sender() {
        return sender;
    }

    /**
     * Abandons the input, because the parser cannot find the beginning of the next point. All bytes count as consumed,
     * and the source closes the TCP connection of the input.
     */
    public void abandon() {
        offset = limit;
        isAbandoned = true;
    }

    /**
     * Returns whether the parser abandoned the input.
     *
     * @return true from {@link #abandon} to {@link #restart}
     */
    public boolean isAbandoned() {
        return isAbandoned;
    }

    /**
     * Returns the array with the input.
     *
     * @return the array, not a copy
     */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Returns the index of the first unconsumed byte.
     *
     * @return index into {@link #bytes()}
     */
    public int offset() {
        return offset;
    }

    /**
     * Returns the index after the last byte.
     *
     * @return index into {@link #bytes()}
     */
    public int limit() {
        return limit;
    }

    /**
     * Returns whether this chunk is the last of its request or stream.
     *
     * @return true when no more input follows
     */
    public boolean last() {
        return last;
    }

    /**
     * Returns the nanoseconds per unit of the timestamps in the text, as declared by the sender.
     *
     * @return at least 1
     */
    public long unitNs() {
        return unitNs;
    }

    /**
     * Returns the line number at {@link #offset()}, counted from 1 at the start of the request.
     *
     * @return line number
     */
    public long line() {
        return line;
    }

    /**
     * Marks input as consumed.
     *
     * @param newOffset index of the first unconsumed byte
     * @param lines number of line ends in the consumed bytes
     */
    public void consumedTo(int newOffset, int lines) {
        offset = newOffset;
        line += lines;
    }

    /**
     * Returns whether all bytes are consumed.
     *
     * @return true when no byte is left
     */
    public boolean isEmpty() {
        return offset >= limit;
    }
}
