package io.chimera.archive.query.condition;

/** End of a packet in a filter. */
public enum Direction {
    SOURCE,
    DESTINATION,
    BOTH,
    EITHER
}
