package io.chimera.archive.index;

/**
 * A value and how often it was given.
 *
 * @param value the value
 * @param atLeast it was given so many times or more
 * @param atMost it was given so many times or fewer; Long.MAX_VALUE where the index does not know
 */
public record RankedValue(long value, long atLeast, long atMost) {}
