package io.chimera.bench.capture;

/**
 * Counters of one pass over packets.
 *
 * @param packets packets counted into flows
 * @param flows number of flows, both directions together
 * @param wallNs wall time from the first packet to the end of processing
 */
record Counted(long packets, long flows, long wallNs) {
    /** Returns whether both counted the same packets and flows. */
    boolean isSame(Counted other) {
        return packets == other.packets && flows == other.flows;
    }
}
