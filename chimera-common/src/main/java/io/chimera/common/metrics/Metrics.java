package io.chimera.common.metrics;

import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Registry of all metrics of one node. Stages register their metrics during wiring; {@code /metrics} reads the
 * registry. The labels are the node and the component, never a peer. Any thread.
 */
public final class Metrics {
    private final String node;
    private final Collection<CounterSet> counters = new CopyOnWriteArrayList<>();
    private final Collection<Gauge> gauges = new CopyOnWriteArrayList<>();

    /**
     * Creates an empty registry.
     *
     * @param node name of the node
     */
    public Metrics(String node) {
        this.node = node;
    }

    /** Handle of a registered metric; closing the handle removes the metric. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /** Counters of one component, e.g. an input. */
    record CounterSet(String component, Counters<?> values) {}

    /** Gauge, evaluated on each scrape. */
    record Gauge(String component, String file, GaugeDescriptor descriptor, DoubleSupplier value) {}

    /** Registers counters. */
    public Registration register(String component, Counters<?> values) {
        CounterSet set = new CounterSet(component, values);
        counters.add(set);
        return () -> counters.remove(set);
    }

    /**
     * Registers a gauge.
     *
     * @param component component of the node
     * @param descriptor name and help of the gauge
     * @param value supplies the current value; must be fast, called by any thread; a value of NaN is omitted
     */
    public Registration register(String component, GaugeDescriptor descriptor, DoubleSupplier value) {
        return add(new Gauge(component, "", descriptor, value));
    }

    /** Registers a gauge of a component for one file; the file is an additional label. */
    public Registration register(String component, String file, GaugeDescriptor descriptor, DoubleSupplier value) {
        return add(new Gauge(component, file, descriptor, value));
    }

    private Registration add(Gauge gauge) {
        gauges.add(gauge);
        return () -> gauges.remove(gauge);
    }

    /** Registers a gauge with integer values; values above 2^53 are rounded. */
    public Registration register(String component, GaugeDescriptor descriptor, LongSupplier value) {
        DoubleSupplier rounded = () -> (double) value.getAsLong();
        return register(component, descriptor, rounded);
    }

    /** Name of the node. */
    public String node() {
        return node;
    }

    Collection<CounterSet> counters() {
        return counters;
    }

    Collection<Gauge> gauges() {
        return gauges;
    }
}
