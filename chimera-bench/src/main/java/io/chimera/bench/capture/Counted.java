package io.chimera.bench.capture;

/**
 * What somebody made of packets.
 *
 * @param packets that were counted into flows
 * @param flows both directions together
 */
record Counted(long packets, long flows) {}
