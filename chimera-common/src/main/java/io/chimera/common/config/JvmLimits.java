package io.chimera.common.config;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * Limits of a JVM.
 *
 * @param processors processors that the JVM may use
 * @param heapBytes maximum heap
 * @param directBytes maximum memory of direct buffers
 */
public record JvmLimits(int processors, long heapBytes, long directBytes) {
    /** Returns the limits of this JVM. */
    public static JvmLimits ofThisJvm() {
        Runtime jvm = Runtime.getRuntime();
        long heapBytes = jvm.maxMemory();
        HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long directBytes = options == null
                ? 0
                : Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
        return new JvmLimits(
                jvm.availableProcessors(), heapBytes, directBytes == 0 ? heapBytes : directBytes); // 0: as the heap
    }
}
