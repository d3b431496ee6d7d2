package io.chimera.common.metrics;

/** Describes one gauge, a constant of an enum of gauges. */
public interface GaugeDescriptor extends MetricDescriptor {}
