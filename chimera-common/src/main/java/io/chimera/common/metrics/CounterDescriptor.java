package io.chimera.common.metrics;

/** What an enum of counters says of each of its constants. Its name in Prometheus ends in {@code _total}. */
public interface CounterDescriptor extends MetricDescriptor {}
