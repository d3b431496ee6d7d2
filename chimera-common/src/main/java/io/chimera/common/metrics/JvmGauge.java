package io.chimera.common.metrics;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Gauges of the JVM of a node. */
public enum JvmGauge implements GaugeDescriptor {
    HEAP_USED_BYTES("Bytes of heap memory in use."),
    HEAP_MAX_BYTES("Maximum heap size in bytes."),
    BUFFERS_USED_BYTES("Bytes of direct and mapped buffers."),
    GC_TIME_SECONDS("Seconds spent in garbage collection since the start."),
    THREADS_COUNT("Live threads."),
    UPTIME_SECONDS("Seconds since the start of the process.");

    private final MetricText text;

    JvmGauge(String help) {
        text = new MetricText("jvm", name().toLowerCase(Locale.ROOT), help);
    }

    /** Registers all JVM gauges. */
    public static void registerAll(Metrics metrics) {
        for (JvmGauge gauge : values()) {
            metrics.register("jvm", gauge, gauge::value);
        }
    }

    private double value() {
        return switch (this) {
            case HEAP_USED_BYTES ->
                (double)
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            case HEAP_MAX_BYTES ->
                (double)
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
            case BUFFERS_USED_BYTES ->
                (double) ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum();
            case GC_TIME_SECONDS ->
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                                .sum()
                        / 1e3;
            case THREADS_COUNT -> ManagementFactory.getThreadMXBean().getThreadCount();
            case UPTIME_SECONDS -> ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
        };
    }

    @Override
    public MetricText text() {
        return text;
    }
}
