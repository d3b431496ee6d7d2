package io.chimera.dataset.format.codec;

import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BufferUtil;
import org.jspecify.annotations.Nullable;

/** Reads an object from an offset on through a direct little-endian buffer. One thread; owns the buffer. */
final class CompressedInput implements AutoCloseable {
    /** Size of the buffer: a block of zstd with its header, or many small reads. */
    private static final int BUFFER_BYTES = 132 << 10;

    private final ObjectBytes object;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /** Offset in the object after the buffered bytes. */
    private long next;

    private boolean isClosed;

    CompressedInput(ObjectBytes object, long offset) {
        this.object = object;
        this.next = offset;
        buffer.limit(0);
    }

    /** Buffered bytes that are not consumed. A decoder consumes bytes by moving the position. */
    ByteBuffer buffer() {
        return buffer;
    }

    /** Offset in the object of the first byte that is not consumed. */
    long position() {
        return next - buffer.remaining();
    }

    boolean isAtEnd() throws IOException {
        return !request(1);
    }

    /**
     * Buffers bytes.
     *
     * @param count number of bytes, at most the size of the buffer
     * @return false when the object ends before; then the buffer contains all remaining bytes
     */
    boolean request(int count) throws IOException {
        if (buffer.remaining() >= count) {
            return true;
        }
        buffer.compact();
        try {
            while (buffer.position() < count) {
                int read = object.read(next, buffer);
                if (read < 0) {
                    break;
                }
                next += read;
            }
        } finally {
            buffer.flip();
        }
        return buffer.remaining() >= count;
    }

    /**
     * Buffers bytes that must exist.
     *
     * @param part name of the part of the object, for the message
     */
    void require(int count, String part) throws IOException {
        if (!request(count)) {
            buffer.position(buffer.limit());
            throw damaged("the object ends within a " + part);
        }
    }

    /** Copies bytes that must exist. */
    void read(byte[] into, int count, String part) throws IOException {
        int done = 0;
        while (done < count) {
            require(1, part);
            int piece = Math.min(count - done, buffer.remaining());
            buffer.get(into, done, piece);
            done += piece;
        }
    }

    /** Skips bytes that must exist. */
    void skip(long count, String part) throws IOException {
        if (count <= buffer.remaining()) {
            buffer.position(buffer.position() + (int) count);
            return;
        }
        long target = position() + count;
        if (target > object.length()) {
            throw damaged("the object ends within a " + part);
        }
        buffer.position(buffer.limit());
        next = target;
    }

    /** Describes a defect at the current position. */
    FormatException damaged(String defect) {
        return damaged(defect, null);
    }

    /** Describes a defect at the current position. */
    FormatException damaged(String defect, @Nullable Throwable cause) {
        return new FormatException(
                object.path() + ", offset " + position() + ": " + defect
                        + "; compare the object with its origin, or write it again",
                cause);
    }

    /** Describes a limit that the bytes at the current position exceed. */
    FormatException refused(String defect, String remedy) {
        return new FormatException(object.path() + ", offset " + position() + ": " + defect + "; " + remedy, null);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            BufferUtil.free(buffer);
        }
    }
}
