package io.chimera.archive.streamfs;

import io.chimera.jni.stream.BlockDevice;
import java.util.ArrayDeque;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Device in memory whose writes complete at the next poll. Written data is durable. */
final class MemoryDevice implements BlockDevice {
    private final UnsafeBuffer memory;
    private final int alignment;
    private final int depth;
    private final ArrayDeque<long[]> done = new ArrayDeque<>();
    private final UnsafeBuffer from = new UnsafeBuffer(0, 0);

    MemoryDevice(long bytes, int alignment, int depth) {
        this(new UnsafeBuffer(BufferUtil.allocateDirectAligned(Math.toIntExact(bytes), alignment)), alignment, depth);
    }

    /** Creates a device over the memory of another device, as after a restart. */
    MemoryDevice(UnsafeBuffer memory, int alignment, int depth) {
        this.memory = memory;
        this.alignment = alignment;
        this.depth = depth;
    }

    UnsafeBuffer memory() {
        return memory;
    }

    @Override
    public long size() {
        return memory.capacity();
    }

    @Override
    public int alignment() {
        return alignment;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public boolean write(long offset, long address, int length, long token) {
        if (done.size() == depth) {
            return false;
        }
        from.wrap(address, length);
        memory.putBytes((int) offset, from, 0, length);
        done.add(new long[] {token, length});
        return true;
    }

    @Override
    public boolean flush(long token) {
        if (done.size() == depth) {
            return false;
        }
        done.add(new long[] {token, 0});
        return true;
    }

    @Override
    public int poll(Completions into, int timeoutMs) {
        int count = done.size();
        for (int i = 0; i < count; i++) {
            long[] each = done.removeFirst();
            into.onCompletion(each[0], (int) each[1]);
        }
        return count;
    }

    @Override
    public int read(long offset, long address, int length) {
        new UnsafeBuffer(address, length).putBytes(0, memory, (int) offset, length);
        return length;
    }

    @Override
    public void close() {
        // The memory belongs to the creator.
    }
}
