package io.chimera.processor;

import io.chimera.common.config.JvmLimits;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.processor.extractor.Extractor;

/**
 * Memory limits of a JVM. Staged groups, entries kept for compositions, and the output of compositions are on the heap
 * or in direct buffers. A staging limit above the memory of the JVM would end the node with an out-of-memory error; a
 * lower limit makes a cycle wait instead.
 *
 * @param heapBytes on the heap
 * @param directBytes in direct buffers
 */
record MemoryRoom(long heapBytes, long directBytes) {
    /**
     * Quarters of the memory for staging. The rest is for connections, for rows in flight and as headroom for the
     * garbage collector.
     */
    private static final int QUARTERS = 3;

    private static final ByteSize DEFAULT_MAX = ByteSize.ofGibibytes(1);
    private static final ByteSize MIN = ByteSize.ofMebibytes(16);

    /** Returns the limits of this JVM. */
    static MemoryRoom ofThisJvm() {
        JvmLimits jvm = JvmLimits.ofThisJvm();
        return new MemoryRoom(jvm.heapBytes(), jvm.directBytes());
    }

    /**
     * Returns the memory limit for staging: the configured limit, or else 1 GiB, reduced to the available memory, but
     * at least 16 MiB.
     *
     * @throws ChimeraException when the limit exceeds the available memory; the message says by how much and how to
     *     correct the setting
     */
    long stagingBytes(ProcessorConfig config) {
        boolean isOnHeap = config.warehouse() == ProcessorConfig.Warehouse.ON_HEAP;
        long ringBytes = (long) config.ringSlots() * Extractor.SLOT_LENGTH;
        long room = isOnHeap ? heapBytes / 4 * QUARTERS : directBytes / 4 * QUARTERS - ringBytes;
        long wanted = config.maxBytes() == null
                ? Math.max(MIN.bytes(), Math.min(DEFAULT_MAX.bytes(), room))
                : config.maxBytes().bytes();
        if (wanted <= room) {
            return wanted;
        }
        long needed = (wanted + (isOnHeap ? 0 : ringBytes) + QUARTERS - 1) / QUARTERS * 4;
        throw new ChimeraException(
                Category.FATAL,
                "processor.max_bytes is " + mebibytes(wanted) + ", but staging may have " + mebibytes(Math.max(0, room))
                        + (isOnHeap
                                ? ": three quarters of the " + mebibytes(heapBytes) + " heap of this JVM."
                                : ": three quarters of the " + mebibytes(directBytes)
                                        + " of direct memory of this JVM, without the "
                                        + mebibytes(ringBytes) + " of processor.ring_slots.")
                        + " Start the node with " + (isOnHeap ? "-Xmx" : "-XX:MaxDirectMemorySize=") + roundedUp(needed)
                        + "m, or set a smaller processor.max_bytes, or processor.warehouse: "
                        + (isOnHeap ? "off_heap" : "on_heap") + ".");
    }

    private static String mebibytes(long bytes) {
        return bytes / ByteSize.ofMebibytes(1).bytes() + "MiB";
    }

    private static long roundedUp(long bytes) {
        return (bytes + ByteSize.ofMebibytes(1).bytes() - 1)
                / ByteSize.ofMebibytes(1).bytes();
    }
}
