package io.chimera.bench.archive.disk;

import io.chimera.jni.stream.AlignedMemory;
import io.chimera.jni.stream.BlockDevice;
import java.io.IOException;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes a device from its beginning in whole consecutive blocks: the maximum speed of the device. */
final class RawWriter implements BlockDevice.Completions {
    static final int BLOCK_BYTES = 1 << 20;
    private static final int WAIT_MS = 60_000;

    private final BlockDevice device;
    private final UnsafeBuffer memory;
    private final IntArrayList free = new IntArrayList();
    private int failure;

    private RawWriter(BlockDevice device) {
        this.device = device;
        memory = AlignedMemory.allocate(device.depth() * BLOCK_BYTES);
        memory.setMemory(0, memory.capacity(), (byte) 0x5A);
        device.register(memory.addressOffset(), memory.capacity());
        for (int slot = 0; slot < device.depth(); slot++) {
            free.addInt(slot);
        }
    }

    /** Writes the given number of bytes, and flushes. */
    static Pace write(String who, BlockDevice device, long bytes) throws IOException {
        return new RawWriter(device).run(who, bytes);
    }

    private Pace run(String who, long bytes) throws IOException {
        long startNs = System.nanoTime();
        Timeline timeline = new Timeline(startNs);
        long longestNs = 0;
        long lastNs = startNs;
        for (long done = 0; done < bytes; done += BLOCK_BYTES) {
            while (free.isEmpty()) {
                poll();
            }
            int slot = free.popInt();
            long address = memory.addressOffset() + (long) slot * BLOCK_BYTES;
            device.write(done % (device.size() / BLOCK_BYTES * BLOCK_BYTES), address, BLOCK_BYTES, slot);
            long nowNs = System.nanoTime();
            longestNs = Math.max(longestNs, nowNs - lastNs);
            lastNs = nowNs;
            timeline.add(nowNs, BLOCK_BYTES);
        }
        while (free.size() < device.depth()) {
            poll();
        }
        free.popInt();
        device.flush(0);
        while (free.size() < device.depth()) {
            poll();
        }
        return Pace.of(who, timeline, System.nanoTime() - startNs, longestNs);
    }

    private void poll() throws IOException {
        if (device.poll(this, WAIT_MS) == 0 || failure != 0) {
            throw new IOException("the device does not write: " + failure);
        }
    }

    @Override
    public void onCompletion(long token, int result) {
        failure = result < 0 ? result : failure;
        free.addInt((int) token);
    }
}
