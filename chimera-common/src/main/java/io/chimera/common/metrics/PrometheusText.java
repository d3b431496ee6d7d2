package io.chimera.common.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;

/** Formats the metrics of all nodes in this process as Prometheus text. Any thread. */
public final class PrometheusText {
    /** Content type of the HTTP answer. */
    public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private final MultiCollector collector;
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

    /** Creates the formatter for the metrics of the given nodes. */
    public PrometheusText(List<Metrics> nodes) {
        List<Metrics> all = List.copyOf(nodes);
        collector = () -> collect(all);
    }

    /** Formats the current values, ordered by metric name. */
    public byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(16 << 10);
        try {
            writer.write(out, collector.collect(), EscapingScheme.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static MetricSnapshots collect(List<Metrics> nodes) {
        Map<String, CounterSnapshot.Builder> counters = new TreeMap<>();
        Map<String, GaugeSnapshot.Builder> gauges = new TreeMap<>();
        for (Metrics node : nodes) {
            node.counters().forEach(set -> addCounters(counters, set));
            node.gauges().forEach(gauge -> addGauge(gauges, gauge));
        }
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.values().forEach(counter -> all.metricSnapshot(counter.build()));
        gauges.values().forEach(gauge -> all.metricSnapshot(gauge.build()));
        return all.build();
    }

    private static void addCounters(Map<String, CounterSnapshot.Builder> counters, Metrics.CounterSet set) {
        set.values().forEach((descriptor, value) -> counters.computeIfAbsent(
                        descriptor.metricName(),
                        name -> CounterSnapshot.builder().name(name).help(descriptor.help()))
                .dataPoint(CounterDataPointSnapshot.builder()
                        .value((double) value)
                        .labels(set.labels())
                        .build()));
    }

    private static void addGauge(Map<String, GaugeSnapshot.Builder> gauges, Metrics.Gauge gauge) {
        double value = valueOf(gauge.value());
        if (!Double.isNaN(value)) {
            gauges.computeIfAbsent(gauge.descriptor().metricName(), name -> GaugeSnapshot.builder()
                            .name(name)
                            .help(gauge.descriptor().help()))
                    .dataPoint(GaugeDataPointSnapshot.builder()
                            .value(value)
                            .labels(gauge.labels())
                            .build());
        }
    }

    /** Returns NaN for a failing gauge, e.g. of a closing stage, so the other gauges remain available. */
    private static double valueOf(DoubleSupplier supplier) {
        try {
            return supplier.getAsDouble();
        } catch (RuntimeException e) {
            return Double.NaN;
        }
    }
}
