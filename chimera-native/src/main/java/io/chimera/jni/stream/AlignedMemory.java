package io.chimera.jni.stream;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory aligned for every supported device. */
public final class AlignedMemory {

    /**
     * Bytes; a multiple of every {@link BlockDevice#alignment} up to this value. {@link BlockDevices} refuses larger
     * alignments.
     */
    public static final int ALIGNMENT = 64 * 1024;

    private static final int LARGE_PAGE_BYTES = 2 << 20;

    private AlignedMemory() {}

    /**
     * Allocates zeroed off-heap memory at a multiple of {@link #ALIGNMENT}; {@code addressOffset()} is the address. The
     * memory is freed some time after the buffer becomes unreachable, so code passing the address to a device must keep
     * the buffer. From 2 MiB on, the memory uses huge pages if the system offers them on request ({@code
     * /sys/kernel/mm/transparent_hugepage/enabled}).
     *
     * @param bytes number of bytes
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
