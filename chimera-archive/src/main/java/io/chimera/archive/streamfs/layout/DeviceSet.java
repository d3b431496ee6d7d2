package io.chimera.archive.streamfs.layout;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.jni.stream.BlockDevice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Devices of a volume, with a callback for each operation in flight. Confined to the writer's thread, except {@link
 * #read}. Retries nothing; errors go to the callback.
 */
public final class DeviceSet implements BlockDevice.Completions, AutoCloseable {
    private final BlockDevice[] devices;
    private final Operation[] operations;
    private final int[] lengths;
    private final int[] free;
    private int freeCount;
    private final ReadMemory readMemory = new ReadMemory();

    /** Callback for a completed operation. */
    public interface Operation {
        /** Reports success (null) or the error. */
        void onCompleted(@Nullable String error);
    }

    public DeviceSet(List<BlockDevice> devices) {
        this.devices = devices.toArray(BlockDevice[]::new);
        int depth = devices.stream().mapToInt(BlockDevice::depth).sum();
        operations = new Operation[depth];
        lengths = new int[depth];
        free = new int[depth];
        for (int i = 0; i < depth; i++) {
            free[freeCount++] = i;
        }
    }

    /** Returns the pool of read buffers. Any thread. */
    public ReadMemory readMemory() {
        return readMemory;
    }

    public int count() {
        return devices.length;
    }

    public BlockDevice device(int index) {
        return devices[index];
    }

    /** Returns false if the queue of the device is full. */
    public boolean write(int device, long offset, long address, int length, Operation operation) {
        if (freeCount == 0) {
            return false;
        }
        int token = free[freeCount - 1];
        operations[token] = operation;
        lengths[token] = length;
        if (!devices[device].write(offset, address, length, token)) {
            return false;
        }
        freeCount--;
        return true;
    }

    /** Returns false if the queue of the device is full. */
    public boolean flush(int device, Operation operation) {
        if (freeCount == 0) {
            return false;
        }
        int token = free[freeCount - 1];
        operations[token] = operation;
        lengths[token] = 0;
        if (!devices[device].flush(token)) {
            return false;
        }
        freeCount--;
        return true;
    }

    /** Processes completions. With a timeout above 0, waits for up to that time on each device. */
    public int poll(int timeoutMs) {
        int count = 0;
        if (freeCount < free.length) {
            for (BlockDevice device : devices) {
                count += device.poll(this, timeoutMs);
            }
        }
        return count;
    }

    int inFlight() {
        return free.length - freeCount;
    }

    @Override
    public void onCompletion(long token, int result) {
        int index = (int) token;
        Operation operation = operations[index];
        int length = lengths[index];
        operations[index] = null;
        free[freeCount++] = index;
        operation.onCompleted(
                result == length
                        ? null
                        : result < 0 ? "error " + -result : "only " + result + " of " + length + " bytes were written");
    }

    /**
     * Reads a whole range. Any thread.
     *
     * @return null on success, otherwise the error
     */
    public @Nullable String read(int device, long offset, long address, int length) {
        int result = devices[device].read(offset, address, length);
        return result == length
                ? null
                : result < 0 ? "error " + -result : "only " + result + " of " + length + " bytes were read";
    }

    /** Writes synchronously; throws on failure. */
    public void writeNow(int device, long offset, long address, int length, String what) {
        Waiting waiting = new Waiting();
        while (!write(device, offset, address, length, waiting)) {
            poll(1);
        }
        await(waiting, device, what);
    }

    /** Flushes all devices synchronously; throws on failure. */
    public void flushNow(String what) {
        for (int device = 0; device < devices.length; device++) {
            Waiting waiting = new Waiting();
            while (!flush(device, waiting)) {
                poll(1);
            }
            await(waiting, device, what);
        }
    }

    private void await(Waiting waiting, int device, String what) {
        while (!waiting.isDone) {
            poll(1);
        }
        String error = waiting.error;
        if (error != null) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Device " + device + " of the volume did not write " + what + ": " + error
                            + ". Check the device, then open the volume again.");
        }
    }

    private static final class Waiting implements Operation {
        private boolean isDone;
        private @Nullable String error;

        @Override
        public void onCompleted(@Nullable String why) {
            isDone = true;
            error = why;
        }
    }

    @Override
    public void close() {
        for (BlockDevice device : devices) {
            device.close();
        }
    }
}
