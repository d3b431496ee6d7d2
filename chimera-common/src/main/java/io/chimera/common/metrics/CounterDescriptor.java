package io.chimera.common.metrics;

/** Describes one counter, a constant of an enum of counters. The Prometheus name ends in {@code _total}. */
public interface CounterDescriptor extends MetricDescriptor {}
