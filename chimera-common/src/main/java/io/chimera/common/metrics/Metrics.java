package io.chimera.common.metrics;

import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * All metrics of one node. Stages register what they have when they are wired; whoever asks for {@code /metrics} reads.
 * The labels are the node and the component, never a peer. Any thread.
 */
public final class Metrics {
    private final String node;
    private final Collection<CounterSet> counters = new CopyOnWriteArrayList<>();
    private final Collection<Gauge> gauges = new CopyOnWriteArrayList<>();

    /**
     * No metrics yet.
     *
     * @param node the node's name
     */
    public Metrics(String node) {
        this.node = node;
    }

    /** Takes a registered metric away again. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /** The counters of one component, e.g. an input. */
    record CounterSet(String component, Counters<?> values) {}

    /** One value that is asked for when it is wanted. */
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
     * @param component part of the node it belongs to
     * @param descriptor its name and meaning
     * @param value its present value; called by any thread, quick; a value of NaN is not shown
     */
    public Registration register(String component, GaugeDescriptor descriptor, DoubleSupplier value) {
        return add(new Gauge(component, "", descriptor, value));
    }

    /** Registers a gauge that a component has once per file; the file is a further label. */
    public Registration register(String component, String file, GaugeDescriptor descriptor, DoubleSupplier value) {
        return add(new Gauge(component, file, descriptor, value));
    }

    private Registration add(Gauge gauge) {
        gauges.add(gauge);
        return () -> gauges.remove(gauge);
    }

    /** Registers a gauge with whole numbers; beyond 2^53 the last digits are rounded. */
    public Registration register(String component, GaugeDescriptor descriptor, LongSupplier value) {
        DoubleSupplier rounded = () -> (double) value.getAsLong();
        return register(component, descriptor, rounded);
    }

    /** The node's name. */
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
