package io.chimera.bench.archive.disk;

import io.chimera.jni.stream.BlockDevice;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Slows a device down to the speed of a rotating disk: the given rate at its beginning, half of the rate at its end,
 * linear in between. Completions arrive at the time of such a disk, without seek times.
 */
final class ZonedDevice implements BlockDevice {
    private final BlockDevice device;
    private final double outerBytesPerNs;
    private final ArrayDeque<long[]> ended = new ArrayDeque<>();
    private final long[] dueNs;
    private final long[] tokens;
    private final boolean[] isUsed;
    private final int[] bytes;
    private Timeline taken;
    private long freeNs;

    /** Wraps a device, and closes it at the end. */
    ZonedDevice(BlockDevice device, double outerBytesPerSecond) {
        this.device = device;
        outerBytesPerNs = outerBytesPerSecond / TimeUnit.SECONDS.toNanos(1);
        dueNs = new long[device.depth()];
        tokens = new long[device.depth()];
        isUsed = new boolean[device.depth()];
        bytes = new int[device.depth()];
        begin();
    }

    /** Resets the timeline: {@link #taken} begins with the next write. */
    void begin() {
        taken = null;
    }

    /** Returns the bytes written by the simulated disk since the first write. */
    Timeline taken() {
        return taken;
    }

    @Override
    public long size() {
        return device.size();
    }

    @Override
    public int alignment() {
        return device.alignment();
    }

    @Override
    public int depth() {
        return device.depth();
    }

    @Override
    public void register(long address, long length) {
        device.register(address, length);
    }

    @Override
    public boolean write(long offset, long address, int length, long token) {
        int slot = freeSlot();
        if (slot < 0 || !device.write(offset, address, length, slot)) {
            return false;
        }
        double bytesPerNs = outerBytesPerNs * (1 - 0.5 * offset / device.size());
        freeNs = Math.max(freeNs, System.nanoTime()) + (long) (length / bytesPerNs);
        take(slot, token, length, freeNs);
        return true;
    }

    @Override
    public boolean flush(long token) {
        int slot = freeSlot();
        if (slot < 0 || !device.flush(slot)) {
            return false;
        }
        take(slot, token, 0, Math.max(freeNs, System.nanoTime()));
        return true;
    }

    private int freeSlot() {
        for (int slot = 0; slot < isUsed.length; slot++) {
            if (!isUsed[slot]) {
                return slot;
            }
        }
        return -1;
    }

    private void take(int slot, long token, int length, long due) {
        taken = taken == null ? new Timeline(System.nanoTime()) : taken;
        isUsed[slot] = true;
        bytes[slot] = length;
        tokens[slot] = token;
        dueNs[slot] = due;
    }

    @Override
    public int poll(Completions into, int timeoutMs) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        int count = 0;
        while (true) {
            device.poll((slot, result) -> ended.add(new long[] {slot, result}), 0);
            for (int waiting = ended.size(); waiting > 0; waiting--) {
                long[] one = ended.remove();
                int slot = (int) one[0];
                if (dueNs[slot] - System.nanoTime() > 0) {
                    ended.add(one);
                } else {
                    isUsed[slot] = false;
                    taken.add(System.nanoTime(), bytes[slot]);
                    into.onCompletion(tokens[slot], (int) one[1]);
                    count++;
                }
            }
            if (count > 0 || endNs - System.nanoTime() <= 0) {
                return count;
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(20));
        }
    }

    @Override
    public int read(long offset, long address, int length) {
        return device.read(offset, address, length);
    }

    @Override
    public void close() {
        device.close();
    }

    @Override
    public String toString() {
        return "slowed down: " + device;
    }
}
