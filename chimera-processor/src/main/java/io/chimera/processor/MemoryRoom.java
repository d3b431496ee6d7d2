package io.chimera.processor;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.chimera.common.config.ByteSize;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.processor.extractor.Extractor;
import java.lang.management.ManagementFactory;

/**
 * What a JVM may have at most. Staged groups, entries that are kept for compositions, and what compositions give lie in one of the two; a
 * limit that is more than it has would end the node where it should make a cycle wait.
 *
 * @param heapBytes on the heap
 * @param directBytes in direct buffers
 */
record MemoryRoom(long heapBytes, long directBytes) {
    /** The rest is for connections, for rows on their way, and for the collector to turn round in: three quarters are for staging. */
    private static final int QUARTERS = 3;

    private static final ByteSize DEFAULT_MAX = ByteSize.ofGibibytes(1);
    private static final ByteSize MIN = ByteSize.ofMebibytes(16);

    /** That of this JVM. */
    static MemoryRoom ofThisJvm() {
        long heapBytes = Runtime.getRuntime().maxMemory();
        HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long directBytes = options == null
                ? 0
                : Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
        return new MemoryRoom(heapBytes, directBytes == 0 ? heapBytes : directBytes); // 0: as much as the heap
    }

    /**
     * The limit for staging: what is configured, or without that 1 GiB where there is so much, and otherwise all that there is for it.
     *
     * @throws ChimeraException when it does not fit; says what is too much, by how much, and what to do
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
