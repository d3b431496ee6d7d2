package io.chimera.archive.index;

import io.chimera.api.HotPath;
import io.chimera.archive.streamfs.RecordHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A group of intervals in memory. The writer adds intervals and ends it; searches on other threads see the intervals up to
 * {@link #size}, and level 2 once it has ended. Its intervals are dropped when they are in the index stream.
 */
final class Group implements Summary {
    private static final int FULL_BLOCKS = 480;
    private static final int FULL_INTERVALS = 4;

    private final KeyBits bits;
    private volatile IntervalEntry[] entries;
    private volatile int size;
    private volatile RecordHandle level1;
    private volatile List<RangeSummary> ranges; // says that it has ended

    // the writer's until it has ended, then nobody's
    private long[] signature;
    private int blocks;

    // the writer's
    private long distinct;
    private int level1Bytes;
    private long firstNumber;
    private long lastNumber;
    private long firstNs = Long.MAX_VALUE;
    private long lastNs = Long.MIN_VALUE;

    Group(KeyBits bits, IndexSettings settings) {
        this.bits = bits;
        blocks = settings.groupBlocks();
        signature = new long[blocks * KeyBits.BLOCK_LONGS];
        entries = new IntervalEntry[settings.groupIntervals()];
    }

    /** Adds keys of the interval that is being written. Writer's thread. */
    @HotPath
    void add(KeyBatch keys) {
        bits.set(signature, blocks, keys);
    }

    /** Whether it has as many keys as its signature is made for, or more; told from a part of it, and now and then. Writer's thread. */
    boolean isFull(int bitsPerKey) {
        int part = Math.min(blocks, FULL_BLOCKS);
        return size % FULL_INTERVALS == 0
                && bits.distinct(signature, part) * bitsPerKey >= (long) part * KeyBits.BLOCK_BITS;
    }

    /** Whether with an interval of these times it would be over more time than so much. Writer's thread. */
    boolean isOver(long ageNs, long intervalFirstNs, long intervalLastNs) {
        long overNs = Math.max(lastNs, intervalLastNs) - Math.min(firstNs, intervalFirstNs);
        return size > 0 && (overNs > ageNs || overNs < 0);
    }

    /** Adds the interval whose keys have been added. Writer's thread. */
    void add(IntervalEntry entry) {
        Interval interval = entry.interval();
        firstNumber = size == 0 ? interval.number() : firstNumber;
        lastNumber = interval.number();
        firstNs = Math.min(firstNs, interval.firstNs());
        lastNs = Math.max(lastNs, interval.lastNs());
        level1Bytes += entry.signature().length * Long.BYTES;
        int position = size;
        entries[position] = entry;
        size = position + 1; // publishes
    }

    /**
     * Ends it: from now on level 2 may be asked. The signature is folded to what its keys need, twice over: what the bundle
     * makes of it is not longer.
     *
     * @param bitsPerKey what every key needs
     */
    void end(KeyTable keys, int bitsPerKey) {
        distinct = bits.distinct(signature, blocks);
        int fold = KeyBits.fold(blocks, KeyBits.blocks(distinct, 2 * bitsPerKey));
        signature = fold == 1 ? signature : KeyBits.folded(signature, blocks, fold);
        blocks /= fold;
        List<RangeSummary> unions = new ArrayList<>();
        List<IntervalEntry> all = entries();
        for (int range = 0; range < keys.ranges().size(); range++) {
            int position = range;
            unions.add(RangeSummary.union(
                    keys.ranges().get(range),
                    all.stream().map(entry -> entry.range(position)).toList()));
        }
        ranges = unions;
    }

    /** Its intervals are in the index stream. Writer's thread. */
    void appended(RecordHandle record) {
        level1 = record;
        entries = null;
    }

    /** Intervals of it in memory; null when they have been dropped and {@link #level1} says where they are. */
    List<IntervalEntry> entries() {
        int published = size;
        IntervalEntry[] all = entries;
        return all == null ? null : Arrays.asList(all).subList(0, published);
    }

    /** What the bundle record says of it, once its intervals are in the index stream. Writer's thread. */
    GroupEntry entry() {
        return new GroupEntry(level1, firstNumber, lastNumber, firstNs, lastNs, size, ranges);
    }

    /** How its signature is made. */
    KeyBits bits() {
        return bits;
    }

    /** By position among range keys, once it has ended. */
    List<RangeSummary> ranges() {
        return ranges;
    }

    boolean isEnded() {
        return ranges != null;
    }

    int size() {
        return size;
    }

    /** Distinct keys, about; once it has ended. Writer's thread. */
    long distinct() {
        return distinct;
    }

    /** Bytes of its level-1 signatures. Writer's thread. */
    int level1Bytes() {
        return level1Bytes;
    }

    /** Nobody writes it once the group has ended. */
    long[] signature() {
        return signature;
    }

    /** Where its intervals are in the index stream; null while they are not. */
    RecordHandle level1() {
        return level1;
    }

    @Override
    public boolean mayHold(long keyed) {
        return bits.test(signature, blocks, keyed);
    }

    @Override
    public RangeSummary range(int range) {
        return ranges.get(range);
    }
}
