package io.chimera.archive.streamfs;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory of a block each, that readers borrow: clearing a MiB that is new costs more than a question that finds nothing. Any
 * thread.
 */
final class ReadMemory {
    /** What is kept: 16 MiB, three questions at a time, five each. What is borrowed beyond is left to the garbage collector. */
    private static final int KEPT_MAX = 16;

    private final BlockingQueue<UnsafeBuffer> free = new ArrayBlockingQueue<>(KEPT_MAX);

    /** Memory of unknown content. */
    UnsafeBuffer borrow(Geometry geometry) {
        UnsafeBuffer kept = free.poll();
        return kept == null ? VolumeFormat.aligned(geometry.blockBytes, geometry.alignment) : kept;
    }

    void giveBack(UnsafeBuffer memory) {
        free.offer(memory);
    }
}
