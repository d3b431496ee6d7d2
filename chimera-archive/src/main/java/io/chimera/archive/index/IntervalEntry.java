package io.chimera.archive.index;

import java.util.List;

/**
 * An interval with its level-1 signature and its ranges. Nobody writes it any more.
 *
 * @param interval what it stands for
 * @param bits how the signature is made
 * @param signature blocks of four longs; empty if there were too many keys, and then it may hold any
 * @param ranges by position among range keys
 */
@SuppressWarnings("ArrayRecordComponent") // as large as many keys; compared nowhere
record IntervalEntry(Interval interval, KeyBits bits, long[] signature, List<RangeSummary> ranges) implements Summary {
    /** Blocks of the signature. */
    int blocks() {
        return signature.length / KeyBits.BLOCK_LONGS;
    }

    @Override
    public boolean mayHold(long keyed) {
        return signature.length == 0 || bits.test(signature, blocks(), keyed);
    }

    @Override
    public RangeSummary range(int range) {
        return ranges.get(range);
    }
}
