package io.chimera.api.model;

/**
 * Identity of a series: metric and ordered tags.
 *
 * @param metric name of the metric, not empty
 * @param tags the ordered tags
 */
public record SeriesKey(String metric, Tags tags) {}
