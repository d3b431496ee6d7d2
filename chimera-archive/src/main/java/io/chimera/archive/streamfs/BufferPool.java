package io.chimera.archive.streamfs;

import java.util.ArrayDeque;

/** The memory for blocks: allocated when it is first needed, up to a number, and kept. Writer's thread. */
final class BufferPool {
    private final int blockBytes;
    private final int alignment;
    private final ArrayDeque<BlockBuffer> free = new ArrayDeque<>();
    private int allocated;

    BufferPool(int blockBytes, int alignment) {
        this.blockBytes = blockBytes;
        this.alignment = alignment;
    }

    /** Null when there are {@code max} and none is free. */
    BlockBuffer take(int max) {
        BlockBuffer buffer = free.pollLast();
        if (buffer == null && allocated < max) {
            allocated++;
            buffer = new BlockBuffer(blockBytes, alignment);
        }
        return buffer;
    }

    void give(BlockBuffer buffer) {
        free.addLast(buffer);
    }
}
