package io.chimera.processor.pipeline;

/**
 * A text and its number of occurrences.
 *
 * @param text the value of a field
 * @param count number of occurrences
 */
public record TextCount(String text, long count) {}
