package io.chimera.archive.streamfs.layout;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.agrona.concurrent.UnsafeBuffer;

/** Pool of block-sized buffers for readers: clearing a new MiB costs more than a query without a match. Any thread. */
public final class ReadMemory {
    /**
     * Pooled buffers: 16 MiB, enough for three queries with five buffers each. Additional buffers are left to the
     * garbage collector.
     */
    private static final int KEPT_MAX = 16;

    private final BlockingQueue<UnsafeBuffer> free = new ArrayBlockingQueue<>(KEPT_MAX);

    /** Returns a buffer with unknown content. */
    public UnsafeBuffer borrow(Geometry geometry) {
        UnsafeBuffer kept = free.poll();
        return kept == null ? VolumeFormat.aligned(geometry.blockBytes, geometry.alignment) : kept;
    }

    public void giveBack(UnsafeBuffer memory) {
        free.offer(memory);
    }
}
