package io.chimera.archive.index;

import java.util.List;

/**
 * What another node is told of a group of intervals: level 2, folded to fewer bits per key than are kept here (Hyperion 2007, 5.3). It may
 * say that a key is there which is not; never the reverse. Immutable.
 */
public final class GroupSummary implements Summary {
    /** A false positive costs a question to a node that then looks at its own level 2. */
    public static final int BITS_PER_KEY_DEFAULT = 12;

    /** Objects and lists beside the signature. */
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

    /** Which group. */
    public IndexGroups.Entry group() {
        return group;
    }

    /** Whether something in it may match. The probe has been checked to ask for keys that there are. */
    public boolean mayMatch(Probe probe) {
        return mayMatch(probe, keys);
    }

    /** Bytes of memory that it takes, about. */
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
