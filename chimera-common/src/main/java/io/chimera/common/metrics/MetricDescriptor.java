package io.chimera.common.metrics;

/** What an enum of metrics says of each of its constants: where it belongs, what it is, in which unit. */
public interface MetricDescriptor {
    /** The stage it belongs to, e.g. {@code parser}; second part of the name. */
    String stage();

    /** What it is and its unit, e.g. {@code points_rejected}; the rest of the name. */
    String what();

    /** One sentence for the operator. */
    String help();

    /** Name as Prometheus sees it; a counter's without {@code _total}. */
    default String metricName() {
        return "chimera_" + stage() + "_" + what();
    }
}
