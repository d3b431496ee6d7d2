package io.chimera.processor;

/**
 * How often a text came.
 *
 * @param text the value of a field
 * @param count how often
 */
public record TextCount(String text, long count) {}
