package io.chimera.archive.index;

/**
 * Value with bounds of its count.
 *
 * @param value the value
 * @param atLeast minimum count
 * @param atMost maximum count; Long.MAX_VALUE if unknown to the index
 */
public record RankedValue(long value, long atLeast, long atMost) {}
