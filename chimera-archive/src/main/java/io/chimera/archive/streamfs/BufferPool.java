package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.layout.DeviceSet;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.jni.stream.AlignedMemory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Pool of block memory. The initial memory is one piece, registered with the devices before the first write. Memory for
 * additional streams is allocated on demand, several blocks at a time, and never freed. Writer's thread.
 */
final class BufferPool {
    /** Blocks per additional allocation; several blocks together may lie in large pages. */
    private static final int BLOCKS_AT_A_TIME = 8;

    private final Geometry geometry;
    private final ArrayDeque<BlockBuffer> free = new ArrayDeque<>();
    private int allocated;

    /** Allocates the initial blocks in one piece. */
    BufferPool(Geometry geometry, DeviceSet devices, int buffers) {
        this.geometry = geometry;
        UnsafeBuffer arena = allocate(buffers);
        for (int i = 0; i < devices.count(); i++) {
            devices.device(i).register(arena.addressOffset(), arena.capacity());
        }
    }

    private UnsafeBuffer allocate(int blocks) {
        UnsafeBuffer memory = AlignedMemory.allocate(Math.multiplyExact(blocks, geometry.blockBytes));
        for (int i = 0; i < blocks; i++) {
            ByteBuffer block = memory.byteBuffer().slice(i * geometry.blockBytes, geometry.blockBytes);
            free.addLast(new BlockBuffer(block, geometry.alignment));
        }
        allocated += blocks;
        return memory;
    }

    /** Returns a free buffer, or null if {@code max} buffers exist and none is free. */
    @Nullable
    BlockBuffer take(int max) {
        if (free.isEmpty() && allocated < max) {
            allocate(Math.min(BLOCKS_AT_A_TIME, max - allocated));
        }
        return free.pollLast();
    }

    void give(BlockBuffer buffer) {
        free.addLast(buffer);
    }
}
