package io.chimera.common.cluster;

import java.util.List;

/**
 * Records between two cuts.
 *
 * @param before exclusive lower bound of the sequence numbers, per stream
 * @param cut inclusive upper bound of the sequence numbers, per stream
 */
public record CutRange(Positions before, Positions cut) {
    /** Records stream by stream. */
    public List<StreamRange> ranges() {
        return cut.since(before);
    }
}
