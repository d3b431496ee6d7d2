package io.chimera.archive.query;

/** End of a packet in a filter. */
enum Direction {
    SOURCE,
    DESTINATION,
    BOTH,
    EITHER
}
