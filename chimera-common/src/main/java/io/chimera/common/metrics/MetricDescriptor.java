package io.chimera.common.metrics;

/** Describes one metric, a constant of an enum of metrics: stage, quantity and unit. */
public interface MetricDescriptor {
    /** Stage of the metric, e.g. {@code parser}; second part of the name. */
    String stage();

    /** Quantity and unit, e.g. {@code points_rejected}; remainder of the name. */
    String what();

    /** Help text for the operator, one sentence. */
    String help();

    /** Name in Prometheus, for counters without {@code _total}. */
    default String metricName() {
        return "chimera_" + stage() + "_" + what();
    }
}
