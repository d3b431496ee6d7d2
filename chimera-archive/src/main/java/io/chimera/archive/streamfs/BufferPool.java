package io.chimera.archive.streamfs;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.agrona.BufferUtil;

/**
 * The memory for blocks. Most of it is one piece, which the devices are told of before the first write; what streams need
 * beyond it is allocated when it is first needed, and kept. Writer's thread.
 */
final class BufferPool {
    private final Geometry geometry;
    private final ArrayDeque<BlockBuffer> free = new ArrayDeque<>();
    private int allocated;

    /** Allocates so many blocks at once. */
    BufferPool(Geometry geometry, DeviceSet devices, int buffers) {
        this.geometry = geometry;
        long bytes = (long) buffers * geometry.blockBytes;
        ByteBuffer arena = BufferUtil.allocateDirectAligned(Math.toIntExact(bytes), geometry.alignment);
        for (int i = 0; i < buffers; i++) {
            add(arena.slice(i * geometry.blockBytes, geometry.blockBytes));
        }
        for (int i = 0; i < devices.count(); i++) {
            devices.device(i).register(BufferUtil.address(arena), bytes);
        }
    }

    private void add(ByteBuffer bytes) {
        allocated++;
        free.addLast(new BlockBuffer(bytes, geometry.alignment));
    }

    /** Null when there are {@code max} and none is free. */
    BlockBuffer take(int max) {
        if (free.isEmpty() && allocated < max) {
            add(BufferUtil.allocateDirectAligned(geometry.blockBytes, geometry.alignment));
        }
        return free.pollLast();
    }

    void give(BlockBuffer buffer) {
        free.addLast(buffer);
    }
}
