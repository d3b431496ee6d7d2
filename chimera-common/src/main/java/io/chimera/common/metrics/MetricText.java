package io.chimera.common.metrics;

/**
 * Parts of the name of a metric, and its help text.
 *
 * @param stage stage of the metric, e.g. {@code parser}; second part of the name
 * @param what quantity and unit, e.g. {@code points_rejected}; remainder of the name
 * @param help help text for the operator, one sentence
 */
public record MetricText(String stage, String what, String help) {}
