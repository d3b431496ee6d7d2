package io.chimera.common.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Registry of all metrics of one node. Stages register their metrics during wiring; {@code /metrics} reads the
 * registry. The labels are the node and the component, and the
 * lane of a metric that each lane has, a file or a job; never a peer. Any thread.
 */
public final class Metrics {
    private final String node;
    private final String lane;
    private final Collection<CounterSet> counters;
    private final Collection<Gauge> gauges;

    /**
     * Creates an empty registry.
     *
     * @param node name of the node
     */
    public Metrics(String node) {
        this(node, "", new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
    }

    private Metrics(String node, String lane, Collection<CounterSet> counters, Collection<Gauge> gauges) {
        this.node = node;
        this.lane = lane;
        this.counters = counters;
        this.gauges = gauges;
    }

    /** Returns a view of this registry that gives each metric registered there the label of a lane. */
    public Metrics lane(int number) {
        return new Metrics(node, String.valueOf(number), counters, gauges);
    }

    /** Handle of a registered metric; closing the handle removes the metric. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /** Counters of one component, e.g. an input. */
    record CounterSet(Labels labels, Counters<?> values) {}

    /** Gauge, evaluated on each scrape. */
    record Gauge(Labels labels, GaugeDescriptor descriptor, DoubleSupplier value) {}

    /** Registers counters. */
    public Registration register(String component, Counters<?> values) {
        CounterSet set = new CounterSet(labels(component, ""), values);
        counters.add(set);
        return () -> counters.remove(set);
    }

    /** Registers counters of a component for one job over a data set; the job is an additional label. */
    public Registration registerJob(String component, String job, Counters<?> values) {
        CounterSet set = new CounterSet(labels(component, "").add("job", job), values);
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
        return add(new Gauge(labels(component, ""), descriptor, value));
    }

    /** Registers a gauge of a component for one file; the file is an additional label. */
    public Registration register(String component, String file, GaugeDescriptor descriptor, DoubleSupplier value) {
        return add(new Gauge(labels(component, file), descriptor, value));
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

    /** Returns the labels of a component; a label without a value is absent. */
    private Labels labels(String component, String file) {
        Labels labels = Labels.of("component", component, "node", node);
        labels = file.isEmpty() ? labels : labels.add("file", file);
        return lane.isEmpty() ? labels : labels.add("lane", lane);
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
