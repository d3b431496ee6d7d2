package io.chimera.jni.stream;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory that any device takes. */
public final class AlignedMemory {

    /** Bytes, a multiple of every {@link BlockDevice#alignment} up to this; larger ones are refused by {@link BlockDevices}. */
    public static final int ALIGNMENT = 64 * 1024;

    private static final int LARGE_PAGE_BYTES = 2 << 20;

    private AlignedMemory() {}

    /**
     * Zeros outside the heap, at an address that is a multiple of {@link #ALIGNMENT}; {@code addressOffset()} says where. They
     * are freed some time after the buffer is no longer reachable, so whoever hands the address to a device keeps the buffer. From 2
     * MiB on they lie in large pages, as far as the system has any for programs that ask
     * ({@code /sys/kernel/mm/transparent_hugepage/enabled}).
     *
     * @param bytes as many as are wanted
     */
    public static UnsafeBuffer allocate(int bytes) {
        if (bytes < LARGE_PAGE_BYTES) {
            return new UnsafeBuffer(BufferUtil.allocateDirectAligned(bytes, ALIGNMENT));
        }
        UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(bytes, LARGE_PAGE_BYTES));
        SummedCopy.enlargePages(memory);
        return memory;
    }
}
