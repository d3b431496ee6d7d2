package io.chimera.jni.stream;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory that any device takes. */
public final class AlignedMemory {

    /** Bytes, a multiple of every {@link BlockDevice#alignment} up to this; larger ones are refused by {@link BlockDevices}. */
    public static final int ALIGNMENT = 64 * 1024;

    private AlignedMemory() {}

    /**
     * Zeros outside the heap, at an address that is a multiple of {@link #ALIGNMENT}; {@code addressOffset()} says where. They
     * are freed some time after the buffer is no longer reachable, so whoever hands the address to a device keeps the buffer.
     *
     * @param bytes as many as are wanted
     */
    public static UnsafeBuffer allocate(int bytes) {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(bytes, ALIGNMENT));
    }
}
