package io.chimera.bench.datasets.path;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Buffers of pieces, for reuse. One thread. */
final class PieceBuffers {
    /** Length of a buffer in bytes. */
    static final int LENGTH = 64 << 10;

    /** Maximum number of unused buffers: 64 MiB. */
    private static final int UNUSED_MAX = 1_024;

    private final Deque<ByteBuffer> unused = new ArrayDeque<>();

    /** Returns an empty buffer. */
    ByteBuffer take() {
        ByteBuffer buffer = unused.pollLast();
        return buffer == null ? ByteBuffer.allocateDirect(LENGTH) : buffer.clear();
    }

    /** Accepts a buffer back. */
    void give(ByteBuffer buffer) {
        if (unused.size() < UNUSED_MAX) {
            unused.addLast(buffer);
        }
    }
}
