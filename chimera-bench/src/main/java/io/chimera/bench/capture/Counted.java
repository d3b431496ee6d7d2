package io.chimera.bench.capture;

/**
 * What somebody made of packets.
 *
 * @param packets that were counted into flows
 * @param flows both directions together
 * @param wallNs time that passed from the first packet until all of them were dealt with
 */
record Counted(long packets, long flows, long wallNs) {
    /** Whether both counted the same. */
    boolean isSame(Counted other) {
        return packets == other.packets && flows == other.flows;
    }
}
