package io.chimera.common.metrics;

/** What an enum of gauges, values that go up and down, says of each of its constants. */
public interface GaugeDescriptor extends MetricDescriptor {}
