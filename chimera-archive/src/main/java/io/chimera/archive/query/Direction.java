package io.chimera.archive.query;

/** Which end of a packet a question asks about. */
enum Direction {
    SOURCE,
    DESTINATION,
    BOTH,
    EITHER
}
