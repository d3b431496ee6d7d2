package io.chimera.bench.cluster;

import java.util.ArrayList;
import java.util.List;

/** Heap and buffers of nodes; the product's own default is what the JVM takes, a quarter of the machine. */
public enum NodeMemory {
    /** What a thousand series from a few connections need. */
    SMALL("96m", "128m", "256m", 16, 16),
    /** What compositions need, which keep the points of a shard until it is whole: a million of them at 120 bytes each. */
    COMPOSING("96m", "512m", "256m", 16, 16),
    /** What ten million series, a million groups or a thousand connections need. */
    LARGE("1g", "2g", "1g", 64, 32);

    /** A coordinator decides some times a second: there is nothing that code of the better compiler would win back. */
    private static final String SIMPLE_COMPILER = "-XX:TieredStopAtLevel=1";

    /**
     * A JVM begins with a heap of a 64th of the machine's memory, which is all that it may have here, and fills it before
     * it collects. From less it grows to what it needs.
     */
    private static final String HEAP_MIN = "-Xms16m";

    /**
     * What the compilers took of the C library's heap goes back to the machine: up to 20 MB a node. JVMs before 17.0.9 do
     * not know it.
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

    /** Slots of a queue node's ring. */
    int queueSlots() {
        return queueSlots;
    }

    /** Slots of a processor's ring. */
    int processorSlots() {
        return processorSlots;
    }

    private static List<String> flags(String heap, String buffers) {
        List<String> flags = new ArrayList<>(TRIMMING);
        flags.addAll(List.of(HEAP_MIN, "-Xmx" + heap, "-XX:MaxDirectMemorySize=" + buffers, "-XX:+UseSerialGC"));
        return flags;
    }
}
