package io.chimera.archive.streamfs;

import io.chimera.jni.stream.AlignedMemory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memory for blocks. Most of it is one piece, which the devices are told of before the first write; what streams need
 * beyond it is allocated when it is first needed, some blocks at a time, and kept. Writer's thread.
 */
final class BufferPool {
    /** So that they may lie in large pages. */
    private static final int BLOCKS_AT_A_TIME = 8;

    private final Geometry geometry;
    private final ArrayDeque<BlockBuffer> free = new ArrayDeque<>();
    private int allocated;

    /** Allocates so many blocks at once. */
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

    /** Null when there are {@code max} and none is free. */
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
