package io.chimera.archive.index;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.RangeSummary;
import io.chimera.archive.index.key.Summary;
import java.util.List;

/**
 * Level-2 summary of a group of intervals for other nodes, folded to fewer bits per key than the local level 2
 * (Hyperion 2007, 5.3). False positives are possible, false negatives are not. Immutable.
 */
public final class GroupSummary implements Summary {
    /** Default bits per key. A false positive costs a query to a node, which then searches its own level 2. */
    public static final int BITS_PER_KEY_DEFAULT = 12;

    /** Memory of objects and lists in addition to the signature. */
    private static final int BYTES_BESIDE = 320;

    private final IndexGroups.Entry group;
    private final KeyBits bits;
    private final long[] signature;
    private final List<RangeSummary> ranges;
    private final KeyTable keys;

    GroupSummary(IndexGroups.Entry group, KeyBits bits, long[] signature, List<RangeSummary> ranges, KeyTable keys) {
        this.group = group;
        this.bits = bits;
        this.signature = signature;
        this.ranges = ranges;
        this.keys = keys;
    }

    /** Returns the group of the summary. */
    public IndexGroups.Entry group() {
        return group;
    }

    /** Returns true if an item of the group may match. The keys of the probe must have been checked. */
    public boolean mayMatch(Probe probe) {
        return mayMatch(probe, keys);
    }

    /** Returns the approximate memory use in bytes. */
    public int bytes() {
        return BYTES_BESIDE + signature.length * Long.BYTES;
    }

    KeyBits bits() {
        return bits;
    }

    long[] signature() {
        return signature;
    }

    List<RangeSummary> ranges() {
        return ranges;
    }

    @Override
    public boolean mayHold(long keyed) {
        return bits.test(signature, signature.length / KeyBits.BLOCK_LONGS, keyed);
    }

    @Override
    public RangeSummary range(int range) {
        return ranges.get(range);
    }
}
