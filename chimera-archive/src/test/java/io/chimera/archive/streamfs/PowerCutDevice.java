package io.chimera.archive.streamfs;

import io.chimera.jni.stream.BlockDevice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Device in memory that records all operations, so a loss of power can be replayed at any point: flushed data is kept;
 * of the rest, each sector is kept or lost. Completes writes late and in any order, and injects device faults on
 * request.
 */
public final class PowerCutDevice implements BlockDevice {
    /** Device fault. */
    public enum Fault {
        /** No fault. */
        NONE,
        /** A write fails with EIO. */
        WRITE_ERROR,
        /** A write ends after its first sector. */
        SHORT_WRITE,
        /** A flush fails with EIO. */
        FLUSH_ERROR,
        /** A read fails with EIO. */
        READ_ERROR,
        /** A read ends half way. */
        SHORT_READ,
        /** Every operation fails with ENODEV. */
        GONE
    }

    private static final int ENODEV = -19;

    private final Power power;
    private final int alignment;
    private final int depth;
    private final UnsafeBuffer start;
    private final UnsafeBuffer memory;
    private final List<Operation> inFlight = new ArrayList<>();
    private Fault fault = Fault.NONE;
    private int faultAfter;

    /** State shared by all devices of a machine: the order of events, and chance. */
    public static final class Power {
        private final Random random;
        private final List<Operation> operations = new ArrayList<>();
        private int time;

        /** Creates the state before the first event. */
        public Power(long seed) {
            random = new Random(seed);
        }

        /** Returns the number of events so far: submissions and completions. */
        public int now() {
            return time;
        }
    }

    private static final class Operation {
        private final PowerCutDevice device;
        private final long token;
        private final long offset;
        private final byte[] bytes; // null for a flush
        private final long address;
        private final int submitted;
        private int completed = Integer.MAX_VALUE;
        /** Completion time of the first flush after this write. */
        private int flushed = Integer.MAX_VALUE;

        private Operation(PowerCutDevice device, long token, long offset, byte[] bytes, long address, int submitted) {
            this.device = device;
            this.token = token;
            this.offset = offset;
            this.bytes = bytes;
            this.address = address;
            this.submitted = submitted;
        }
    }

    /**
     * Creates a powered device.
     *
     * @param image initial content
     */
    public PowerCutDevice(Power power, UnsafeBuffer image, int alignment, int depth) {
        this.power = power;
        this.alignment = alignment;
        this.depth = depth;
        start = image;
        memory = new UnsafeBuffer(new byte[image.capacity()]);
        memory.putBytes(0, image, 0, image.capacity());
    }

    /** Returns the content of a new device. */
    public static UnsafeBuffer blank(int bytes) {
        return new UnsafeBuffer(new byte[bytes]);
    }

    /** Injects a fault after a number of operations of the kind. */
    public void fail(Fault how, int after) {
        fault = how;
        faultAfter = after;
    }

    /** Returns the current content without any loss. */
    public UnsafeBuffer memory() {
        return memory;
    }

    /** Returns the content after a loss of power at a point. */
    public UnsafeBuffer cut(int at, Random random) {
        UnsafeBuffer image = blank(start.capacity());
        image.putBytes(0, start, 0, start.capacity());
        int losses = random.nextInt(4);
        for (Operation each : power.operations) {
            if (each.device == this && each.bytes != null && each.submitted < at) {
                for (int i = 0; i < each.bytes.length; i += alignment) {
                    if (each.flushed < at || isKept(losses, random)) {
                        image.putBytes((int) each.offset + i, each.bytes, i, alignment);
                    }
                }
            }
        }
        return image;
    }

    /** Decides about an unflushed sector: none, all or some are kept. */
    private static boolean isKept(int losses, Random random) {
        return losses == 1 || (losses > 1 && random.nextInt(losses == 2 ? 2 : 16) > 0);
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
        if (offset % alignment != 0 || address % alignment != 0 || length % alignment != 0 || length == 0) {
            throw new IllegalArgumentException("A write is not aligned: " + offset + ", " + length);
        }
        if (inFlight.size() == depth) {
            return false;
        }
        byte[] bytes = new byte[length];
        new UnsafeBuffer(address, length).getBytes(0, bytes);
        submit(new Operation(this, token, offset, bytes, address, power.time));
        return true;
    }

    private void submit(Operation operation) {
        power.time++;
        power.operations.add(operation);
        inFlight.add(operation);
    }

    @Override
    public boolean flush(long token) {
        if (inFlight.size() == depth) {
            return false;
        }
        submit(new Operation(this, token, 0, null, 0, power.time));
        return true;
    }

    @Override
    public int poll(Completions into, int timeoutMs) {
        int count = 0;
        while (!inFlight.isEmpty() && ((timeoutMs > 0 && count == 0) || power.random.nextInt(3) > 0)) {
            complete(inFlight.remove(power.random.nextInt(inFlight.size())), into);
            count++;
        }
        return count;
    }

    private void complete(Operation operation, Completions into) {
        int result = operation.bytes == null ? flushed(operation) : written(operation);
        power.time++;
        into.onCompletion(operation.token, result);
    }

    private int written(Operation operation) {
        byte[] now = new byte[operation.bytes.length];
        new UnsafeBuffer(operation.address, now.length).getBytes(0, now);
        if (!Arrays.equals(now, operation.bytes)) {
            throw new IllegalStateException("Memory was changed while the device had it.");
        }
        if (isFailing(Fault.WRITE_ERROR)) {
            return EIO;
        }
        if (isFailing(Fault.SHORT_WRITE)) {
            memory.putBytes((int) operation.offset, operation.bytes, 0, alignment);
            return operation.bytes.length > alignment ? alignment : 0;
        }
        if (isFailing(Fault.GONE)) {
            return ENODEV;
        }
        memory.putBytes((int) operation.offset, operation.bytes);
        operation.completed = power.time;
        return operation.bytes.length;
    }

    private int flushed(Operation flush) {
        if (isFailing(Fault.FLUSH_ERROR)) {
            return EIO;
        }
        if (isFailing(Fault.GONE)) {
            return ENODEV;
        }
        for (Operation each : power.operations) {
            if (each.device == this && each.bytes != null && each.completed < flush.submitted) {
                each.flushed = Math.min(each.flushed, power.time);
            }
        }
        return 0;
    }

    private boolean isFailing(Fault how) {
        return fault == how && faultAfter-- <= 0;
    }

    @Override
    public int read(long offset, long address, int length) {
        if (isFailing(Fault.READ_ERROR)) {
            return EIO;
        }
        if (isFailing(Fault.GONE)) {
            return ENODEV;
        }
        int there = isFailing(Fault.SHORT_READ) ? length / 2 : length;
        new UnsafeBuffer(address, there).putBytes(0, memory, (int) offset, there);
        return there;
    }

    @Override
    public void close() {
        // No resources: a store without power does not close its devices either.
    }
}
