package io.chimera.api.model;

/**
 * What identifies a series: its metric and its ordered tags.
 *
 * @param metric name of the metric, not empty
 * @param tags the ordered tags
 */
public record SeriesKey(String metric, Tags tags) {}
