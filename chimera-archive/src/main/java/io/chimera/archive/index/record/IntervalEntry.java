package io.chimera.archive.index.record;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.RangeSummary;
import io.chimera.archive.index.key.Summary;
import java.util.List;

/**
 * Interval with its level-1 signature and its ranges. Immutable after construction.
 *
 * @param interval interval of the signature
 * @param bits signature scheme
 * @param signature blocks of four longs; empty for an interval with too many keys, which matches any key
 * @param ranges ranges by position among range keys
 */
@SuppressWarnings("ArrayRecordComponent") // large array; never compared
public record IntervalEntry(Interval interval, KeyBits bits, long[] signature, List<RangeSummary> ranges)
        implements Summary {
    /** Returns the number of blocks of the signature. */
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
