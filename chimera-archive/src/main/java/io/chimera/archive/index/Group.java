package io.chimera.archive.index;

import io.chimera.api.HotPath;
import io.chimera.archive.index.key.KeyBatch;
import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.key.RangeSummary;
import io.chimera.archive.index.key.Summary;
import io.chimera.archive.index.record.GroupEntry;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.index.record.Interval;
import io.chimera.archive.index.record.IntervalEntry;
import io.chimera.archive.streamfs.store.RecordHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Group of intervals in memory. The writer adds intervals and ends the group. Searches on other threads see the
 * intervals up to {@link #size}, and level 2 once the group has ended. The intervals are dropped when they are in the
 * index stream.
 */
final class Group implements Summary {
    private static final int FULL_BLOCKS = 480;
    private static final int FULL_INTERVALS = 4;

    private final KeyBits bits;
    private volatile IntervalEntry[] entries;
    private volatile int size;
    private volatile RecordHandle level1;
    private volatile List<RangeSummary> ranges; // non-null once the group has ended

    // changed by the writer until the group has ended, constant afterwards
    private long[] signature;
    private int blocks;

    // writer's thread only
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

    /** Adds keys of the interval in progress. Writer's thread. */
    @HotPath
    void add(KeyBatch keys) {
        bits.set(signature, blocks, keys);
    }

    /**
     * Returns true if the signature has reached its designed number of keys. The number is estimated from a part of the
     * signature, and only at every fourth interval. Writer's thread.
     */
    boolean isFull(int bitsPerKey) {
        int part = Math.min(blocks, FULL_BLOCKS);
        return size % FULL_INTERVALS == 0
                && bits.distinct(signature, part) * bitsPerKey >= (long) part * KeyBits.BLOCK_BITS;
    }

    /** Returns true if an interval of these times would extend the group beyond the maximum age. Writer's thread. */
    boolean isOver(long ageNs, long intervalFirstNs, long intervalLastNs) {
        long overNs = Math.max(lastNs, intervalLastNs) - Math.min(firstNs, intervalFirstNs);
        return size > 0 && (overNs > ageNs || overNs < 0);
    }

    /** Adds an interval after its keys. Writer's thread. */
    void add(IntervalEntry entry) {
        Interval interval = entry.interval();
        firstNumber = size == 0 ? interval.number() : firstNumber;
        lastNumber = interval.number();
        firstNs = Math.min(firstNs, interval.firstNs());
        lastNs = Math.max(lastNs, interval.lastNs());
        level1Bytes += entry.signature().length * Long.BYTES;
        int position = size;
        entries[position] = entry;
        size = position + 1; // publishes the interval
    }

    /**
     * Ends the group; level 2 may be searched afterwards. The signature is folded to twice the length needed by its
     * keys, enough for the signatures of the bundle.
     *
     * @param bitsPerKey bits needed per key
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

    /** Drops the intervals, now in the index stream. Writer's thread. */
    void appended(RecordHandle record) {
        level1 = record;
        entries = null;
    }

    /** Returns the intervals in memory; null if they were dropped and {@link #level1} is their record. */
    List<IntervalEntry> entries() {
        int published = size;
        IntervalEntry[] all = entries;
        return all == null ? null : Arrays.asList(all).subList(0, published);
    }

    /** Returns the entry for the bundle record, once the intervals are in the index stream. Writer's thread. */
    GroupEntry entry() {
        return new GroupEntry(level1, firstNumber, lastNumber, firstNs, lastNs, size, ranges);
    }

    /** Returns the signature scheme. */
    KeyBits bits() {
        return bits;
    }

    /** Returns the ranges by position among range keys; null until the group has ended. */
    List<RangeSummary> ranges() {
        return ranges;
    }

    boolean isEnded() {
        return ranges != null;
    }

    int size() {
        return size;
    }

    /** Returns the approximate number of distinct keys; valid once the group has ended. Writer's thread. */
    long distinct() {
        return distinct;
    }

    /** Returns the bytes of the level-1 signatures. Writer's thread. */
    int level1Bytes() {
        return level1Bytes;
    }

    /** Returns the signature; constant once the group has ended. */
    long[] signature() {
        return signature;
    }

    /** Returns the record of the intervals in the index stream; null before the append. */
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
