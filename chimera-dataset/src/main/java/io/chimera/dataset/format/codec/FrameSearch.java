package io.chimera.dataset.format.codec;

import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Searches an object for the next frame from an offset on. Reads each byte once, and the headers of found frames. */
final class FrameSearch {
    /** Result of {@link #find} when no frame begins in the range. */
    static final long NONE = -1;

    private static final int BUFFER_BYTES = 64 << 10;

    /** Number of wrong magic numbers after which a search gives up: an object made of them costs little. */
    private static final int WRONG_MAX = 1_000;

    private final ObjectBytes object;
    private final FrameProbe probe;
    private final ObjectPieces pieces;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    FrameSearch(ObjectBytes object, FrameProbe probe) {
        this.object = object;
        this.probe = probe;
        this.pieces = new ObjectPieces(object);
    }

    /**
     * Finds the first frame.
     *
     * @param from offset of the first byte that may begin a frame
     * @param to offset after the last byte that may begin a frame
     * @return offset of the frame; {@link #NONE} without a frame
     */
    long find(long from, long to) throws IOException {
        buffer.clear();
        long next = from; // offset in the object after the bytes in the buffer
        int wrong = 0;
        while (true) {
            int read = object.read(next, buffer);
            if (read < 0) {
                return NONE;
            }
            next += read;
            long first = next - buffer.position(); // offset of the first byte in the buffer
            int last = buffer.position() - Integer.BYTES;
            for (int i = 0; i <= last; i++) {
                if (first + i >= to) {
                    return NONE;
                }
                if (buffer.getInt(i) == probe.magic()) {
                    if (probe.isFrame(pieces, first + i)) {
                        return first + i;
                    }
                    if (++wrong == WRONG_MAX) {
                        return NONE;
                    }
                }
            }
            int scanned = Math.max(0, last + 1);
            if (first + scanned >= to) {
                return NONE;
            }
            buffer.flip().position(scanned);
            buffer.compact();
        }
    }
}
