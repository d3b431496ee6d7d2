package io.chimera.dataset.format.packet;

import io.chimera.dataset.format.codec.SplitContent;
import io.chimera.jni.capture.CaptureRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A part of the content from a split on, in an array that grows as bytes arrive. Positions count from the beginning of
 * the split. One thread.
 */
final class PacketWindow {
    /** Position of an end that no byte has shown yet. */
    static final long UNKNOWN = Long.MAX_VALUE;

    private static final int BYTES_FIRST = 256 << 10;

    private final SplitContent content;
    private final CaptureRecords records;

    private byte[] bytes = new byte[BYTES_FIRST];
    private ByteBuffer view = ByteBuffer.wrap(bytes);

    /** Position of the first byte in the array. */
    private long position;

    private int length;
    private long keptFrom;
    private long splitEnd = UNKNOWN;
    private boolean isAtEnd;

    /**
     * Creates an empty window.
     *
     * @param content content of the split
     * @param records sees all bytes of the window
     */
    PacketWindow(SplitContent content, CaptureRecords records) {
        this.content = content;
        this.records = records;
    }

    /**
     * Creates a window with the bytes that were read before.
     *
     * @param content content after these bytes
     * @param records sees all bytes of the window
     * @param read bytes from the beginning of the content on
     */
    PacketWindow(SplitContent content, CaptureRecords records, byte[] read) {
        this(content, records);
        System.arraycopy(read, 0, bytes, 0, read.length);
        length = read.length;
        records.wrap(bytes, length, position);
    }

    byte[] bytes() {
        return bytes;
    }

    /** Index of a position in the array. */
    int index(long of) {
        return (int) (of - position);
    }

    /** Position after the last byte so far. */
    long end() {
        return position + length;
    }

    /** Position after the last byte of the split; {@link #UNKNOWN} before a byte after the split was read. */
    long splitEnd() {
        return splitEnd;
    }

    /** Permits to drop the bytes before a position. */
    void keepFrom(long of) {
        keptFrom = of;
    }

    /**
     * Reads until some bytes are in the window.
     *
     * @param from position of the first one, at least the kept position
     * @param count number of bytes
     * @return false when the content ends before; then all bytes up to the end are in the window
     */
    boolean has(long from, int count) throws IOException {
        while (from + count > end()) {
            if (isAtEnd) {
                return false;
            }
            fill();
        }
        return true;
    }

    private void fill() throws IOException {
        if (length == bytes.length) {
            makeRoom();
        }
        int count = content.read(view.limit(bytes.length).position(length));
        if (count < 0) {
            isAtEnd = true;
        }
        if (splitEnd == UNKNOWN && (count < 0 || !content.isInSplit())) {
            splitEnd = end();
        }
        length += Math.max(0, count);
        records.wrap(bytes, length, position);
    }

    private void makeRoom() {
        int unused = index(Math.min(keptFrom, end()));
        if (unused > 0) {
            System.arraycopy(bytes, unused, bytes, 0, length - unused);
            length -= unused;
            position += unused;
        }
        if (length > bytes.length / 2) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
            view = ByteBuffer.wrap(bytes);
        }
    }
}
