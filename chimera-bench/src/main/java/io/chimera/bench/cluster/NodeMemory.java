package io.chimera.bench.cluster;

import java.util.ArrayList;
import java.util.List;

/** Heap and buffers of nodes; the product's default is the JVM's default, a quarter of the machine. */
public enum NodeMemory {
    /** Memory for a thousand series from a few connections. */
    SMALL("96m", "128m", "256m", 16, 16),
    /**
     * Memory for compositions, which keep the points of a shard until the shard is complete: a million points of 120
     * bytes.
     */
    COMPOSING("96m", "512m", "256m", 16, 16),
    /** Memory for ten million series, a million groups or a thousand connections. */
    LARGE("1g", "2g", "1g", 64, 32);

    /**
     * Disables the C2 compiler in a coordinator: it decides only some times per second, so C2 code never repays its
     * compilation.
     */
    private static final String SIMPLE_COMPILER = "-XX:TieredStopAtLevel=1";

    /**
     * Minimum heap. A JVM starts with a 64th of the machine's memory, here as much as the maximum heap, and fills this
     * heap before it collects. A smaller heap grows only as needed.
     */
    private static final String HEAP_MIN = "-Xms16m";

    /**
     * Returns unused native heap of the compilers to the machine, up to 20 MB per node. JVMs before 17.0.9 do not
     * support this flag.
     */
    private static final List<String> TRIMMING =
            List.of("-XX:+IgnoreUnrecognizedVMOptions", "-XX:TrimNativeHeapInterval=2000");

    private final String queueHeap;
    private final String processorHeap;
    private final String buffers;
    private final int queueSlots;
    private final int processorSlots;

    NodeMemory(String queueHeap, String processorHeap, String buffers, int queueSlots, int processorSlots) {
        this.queueHeap = queueHeap;
        this.processorHeap = processorHeap;
        this.buffers = buffers;
        this.queueSlots = queueSlots;
        this.processorSlots = processorSlots;
    }

    static List<String> coordinatorFlags() {
        List<String> flags = flags("64m", "64m");
        flags.add(SIMPLE_COMPILER);
        return flags;
    }

    List<String> queueFlags() {
        return flags(queueHeap, buffers);
    }

    List<String> processorFlags() {
        return flags(processorHeap, buffers);
    }

    /** Returns the ring slots of a queue node. */
    int queueSlots() {
        return queueSlots;
    }

    /** Returns the ring slots of a processor. */
    int processorSlots() {
        return processorSlots;
    }

    private static List<String> flags(String heap, String buffers) {
        List<String> flags = new ArrayList<>(TRIMMING);
        flags.addAll(List.of(HEAP_MIN, "-Xmx" + heap, "-XX:MaxDirectMemorySize=" + buffers, "-XX:+UseSerialGC"));
        return flags;
    }
}
