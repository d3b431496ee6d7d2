package io.chimera.faults.chaos.load;

/**
 * What one lane sent under one set of keys: batches that were acknowledged, one behind the other, and at the end perhaps
 * one whose fate is not known. The lane never sends under these keys again, so it can only be there whole, or not at all.
 *
 * @param lane who sent it
 * @param number of this generation in its lane, from 0
 * @param acknowledged batches answered with success
 * @param ambiguous whether one more batch was sent that was refused, or never answered
 */
public record Generation(int lane, int number, long acknowledged, boolean ambiguous) {
    /** Points that must be stored. */
    public long acknowledgedPoints() {
        return acknowledged * LoadValues.POINTS_PER_BATCH;
    }
}
