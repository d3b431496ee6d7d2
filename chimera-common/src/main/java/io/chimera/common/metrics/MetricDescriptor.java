package io.chimera.common.metrics;

/** Describes one metric, a constant of an enum of metrics. */
public interface MetricDescriptor {
    /** Returns the parts of the name, and the help text. */
    MetricText text();

    /** Help text for the operator, one sentence. */
    default String help() {
        return text().help();
    }

    /** Name in Prometheus, for counters without {@code _total}. */
    default String metricName() {
        return "chimera_" + text().stage() + "_" + text().what();
    }
}
