package io.chimera.api.spi;

import java.net.InetSocketAddress;

/**
 * A piece of input on its way through a {@link Parser}: bytes that the parser consumes from the front. Reused by its
 * owner, the source; not thread-safe.
 */
public final class Chunk {
    private byte[] bytes = new byte[0];
    private int offset;
    private int limit;
    private boolean last;
    private long unitNs = 1;
    private long line = 1;
    private InetSocketAddress sender;
    private boolean isAbandoned;

    /** An empty chunk. */
    public Chunk() {}

    /**
     * Points this chunk at new input. Line numbers go on counting; see {@link #restart}.
     *
     * @param newBytes array that holds the input; unchanged until the parser has consumed it
     * @param newOffset index of the first byte
     * @param length number of bytes
     * @param isLast true when no more input follows, so that an unfinished last line is a line
     * @return this
     */
    public Chunk wrap(byte[] newBytes, int newOffset, int length, boolean isLast) {
        bytes = newBytes;
        offset = newOffset;
        limit = newOffset + length;
        last = isLast;
        return this;
    }

    /**
     * Begins a new request: line numbers count from one again.
     *
     * @param newUnitNs nanoseconds per unit of the timestamps in the text, at least 1
     * @return this
     */
    public Chunk restart(long newUnitNs) {
        unitNs = newUnitNs;
        line = 1;
        isAbandoned = false;
        return this;
    }

    /**
     * Says where the input comes from.
     *
     * @param newSender address of the sender
     * @return this
     */
    public Chunk from(InetSocketAddress newSender) {
        sender = newSender;
        return this;
    }

    /**
     * Where the input comes from.
     *
     * @return address of the sender of the datagram, or of the other end of the connection; null for an HTTP request
     */
    public InetSocketAddress sender() {
        return sender;
    }

    /**
     * Gives the input up: nothing tells where the next point begins. All of it counts as consumed, and a connection that it came
     * by is closed.
     */
    public void abandon() {
        offset = limit;
        isAbandoned = true;
    }

    /**
     * Whether the parser gave the input up.
     *
     * @return true from {@link #abandon} to {@link #restart}
     */
    public boolean isAbandoned() {
        return isAbandoned;
    }

    /**
     * The array that holds the input.
     *
     * @return the array, not a copy
     */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Index of the first byte that is not consumed yet.
     *
     * @return index into {@link #bytes()}
     */
    public int offset() {
        return offset;
    }

    /**
     * Index behind the last byte.
     *
     * @return index into {@link #bytes()}
     */
    public int limit() {
        return limit;
    }

    /**
     * Whether no more input follows this chunk.
     *
     * @return true for the end of a request or stream
     */
    public boolean last() {
        return last;
    }

    /**
     * Nanoseconds per unit of the timestamps in the text, as the sender declared it.
     *
     * @return at least 1
     */
    public long unitNs() {
        return unitNs;
    }

    /**
     * Number of the line that {@link #offset()} stands on, counted from 1 at the start of the request.
     *
     * @return line number
     */
    public long line() {
        return line;
    }

    /**
     * Marks input as consumed.
     *
     * @param newOffset index of the first byte that is not consumed
     * @param lines number of line ends that were consumed with it
     */
    public void consumedTo(int newOffset, int lines) {
        offset = newOffset;
        line += lines;
    }

    /**
     * Whether all bytes were consumed.
     *
     * @return true when nothing is left
     */
    public boolean isEmpty() {
        return offset >= limit;
    }
}
