package io.chimera.bench.cluster;

import java.util.ArrayList;
import java.util.List;

/** Heap and buffers of nodes; the product's own default is what the JVM takes, a quarter of the machine. */
public enum NodeMemory {
    /** What a thousand series from a few connections need. */
    SMALL("96m", "128m", "256m"),
    /** What ten million series, a million groups or a thousand connections need. */
    LARGE("1g", "2g", "1g");

    /** A coordinator decides some times a second: there is nothing that code of the better compiler would win back. */
    private static final String SIMPLE_COMPILER = "-XX:TieredStopAtLevel=1";

    private final String queueHeap;
    private final String processorHeap;
    private final String buffers;

    NodeMemory(String queueHeap, String processorHeap, String buffers) {
        this.queueHeap = queueHeap;
        this.processorHeap = processorHeap;
        this.buffers = buffers;
    }

    static List<String> coordinatorFlags() {
        List<String> flags = new ArrayList<>(flags("64m", "64m"));
        flags.add(SIMPLE_COMPILER);
        return flags;
    }

    List<String> queueFlags() {
        return flags(queueHeap, buffers);
    }

    List<String> processorFlags() {
        return flags(processorHeap, buffers);
    }

    private static List<String> flags(String heap, String buffers) {
        return List.of("-Xmx" + heap, "-XX:MaxDirectMemorySize=" + buffers, "-XX:+UseSerialGC");
    }
}
