package io.chimera.faults.chaos.load;

/**
 * Batches sent by a lane under a set of keys: consecutive acknowledged batches, and possibly a last batch with unknown
 * fate. The lane never sends under these keys again, so the last batch is stored either completely or not at all.
 *
 * @param lane the sender
 * @param number of this generation in its lane, from 0
 * @param acknowledged batches answered with success
 * @param ambiguous whether a further batch was sent and refused, or never answered
 */
public record Generation(int lane, int number, long acknowledged, boolean ambiguous) {
    /** Returns the number of points that must be stored. */
    public long acknowledgedPoints() {
        return acknowledged * LoadValues.POINTS_PER_BATCH;
    }
}
