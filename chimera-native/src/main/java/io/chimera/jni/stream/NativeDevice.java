package io.chimera.jni.stream;

import io.chimera.api.HotPath;
import io.chimera.jni.NativeText;
import java.lang.ref.Reference;
import java.util.concurrent.locks.StampedLock;
import org.agrona.concurrent.UnsafeBuffer;

/** Device of the native library; converts the library's {@code -errno} at opening to an exception. */
final class NativeDevice implements BlockDevice {

    private static final int FACTS_BYTES = 16;
    private static final int FACTS_ALIGNMENT_OFFSET = 8;
    private static final int FACTS_FLAGS_OFFSET = 12;
    private static final int IS_DIRECT = 1;
    private static final int HAS_URING = 2;

    private static final int COMPLETION_BYTES = 16;
    private static final int COMPLETION_RESULT_OFFSET = 8;

    private final String target;
    private final int depth;
    private final long size;
    private final int alignment;
    private final int flags;
    private final UnsafeBuffer completions;

    /** Held by readers during native calls, so that closing waits for readers. */
    private final StampedLock inUse = new StampedLock();

    /** 0 when closed; read under the lock or by the writing thread. */
    private long handle;

    NativeDevice(String target, DeviceOptions options) {
        this.target = target;
        depth = options.depth();
        completions = NativeText.allocate(depth * COMPLETION_BYTES);
        UnsafeBuffer path = NativeText.of(target);
        UnsafeBuffer error = NativeText.allocate(NativeText.SENTENCE_BYTES);
        UnsafeBuffer facts = NativeText.allocate(FACTS_BYTES);
        try {
            handle = DeviceLibrary.open(
                    path.addressOffset(),
                    options.bytes(),
                    depth,
                    options.mechanism().number(),
                    error.addressOffset(),
                    NativeText.SENTENCE_BYTES);
            if (handle < 0) {
                throw new DeviceException(NativeText.at(error.addressOffset()) + ".", (int) -handle);
            }
            DeviceLibrary.facts(handle, facts.addressOffset());
            size = facts.getLong(0);
            alignment = facts.getInt(FACTS_ALIGNMENT_OFFSET);
            flags = facts.getInt(FACTS_FLAGS_OFFSET);
        } finally {
            Reference.reachabilityFence(path);
            Reference.reachabilityFence(error);
            Reference.reachabilityFence(facts);
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public int alignment() {
        return alignment;
    }

    @Override
    public int depth() {
        return depth;
    }

    /**
     * Best effort: a user's locked-memory limit may be smaller than the range; then every write pins its own memory.
     */
    @Override
    public void register(long address, long length) {
        DeviceLibrary.register(openHandle(), address, length);
    }

    @Override
    @HotPath
    public boolean write(long offset, long address, int length, long token) {
        BlockDevices.requireWithin(this, offset, address, length);
        return DeviceLibrary.write(openHandle(), offset, address, length, token) > 0;
    }

    @Override
    @HotPath
    public boolean flush(long token) {
        return DeviceLibrary.flush(openHandle(), token) > 0;
    }

    @Override
    @HotPath
    public int poll(Completions into, int timeoutMs) {
        int count = DeviceLibrary.poll(openHandle(), completions.addressOffset(), depth, timeoutMs);
        for (int i = 0; i < count; i++) {
            int place = i * COMPLETION_BYTES;
            into.onCompletion(completions.getLong(place), completions.getInt(place + COMPLETION_RESULT_OFFSET));
        }
        return count;
    }

    @Override
    public int read(long offset, long address, int length) {
        BlockDevices.requireWithin(this, offset, address, length);
        long stamp = inUse.readLock();
        try {
            return DeviceLibrary.read(openHandle(), offset, address, length);
        } finally {
            inUse.unlockRead(stamp);
        }
    }

    @Override
    public void close() {
        long stamp = inUse.writeLock();
        try {
            if (handle != 0) {
                DeviceLibrary.close(handle);
                handle = 0;
            }
        } finally {
            inUse.unlockWrite(stamp);
        }
    }

    /** Returns the handle; a closed handle must not reach C. */
    @HotPath
    private long openHandle() {
        if (handle == 0) {
            throw new IllegalStateException(target + " is closed.");
        }
        return handle;
    }

    /** Describes the device for logs. */
    @Override
    public String toString() {
        return BlockDevices.description(
                this,
                target,
                (flags & HAS_URING) != 0 ? "up to " + depth + " writes at a time by io_uring" : "one write at a time",
                (flags & IS_DIRECT) != 0);
    }
}
