package io.chimera.archive.index.record;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.key.RangeSummary;
import io.chimera.archive.streamfs.store.RecordHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Level 1 of a group in the index stream: the intervals, followed by their signatures. Record numbers and times are
 * stored as differences from the previous interval; an interval takes 30 bytes in addition to its signature.
 *
 * <pre>
 *   header (type 1) | intervals | for each: number, handle, first ns, last ns, items, blocks, ranges, top | signatures
 * </pre>
 */
public final class GroupRecord {
    public static final byte TYPE = 1;

    private static final int INTERVAL_LENGTH_MIN = 14;

    private GroupRecord() {}

    public static RecordOutput encode(RecordOutput out, List<IntervalEntry> entries, KeyTable keys) {
        out.begin(TYPE, entries.get(0).bits()).putCount(entries.size());
        long number = 0;
        long firstNs = 0;
        for (IntervalEntry entry : entries) {
            Interval interval = entry.interval();
            out.putCount(interval.number() - number).putHandle(interval.data());
            out.putSigned(interval.firstNs() - firstNs).putCount(interval.lastNs() - interval.firstNs());
            out.putCount(interval.items()).putCount(entry.blocks());
            RangeCodec.put(out, entry.ranges());
            RangeCodec.putTop(out, entry.ranges(), keys);
            number = interval.number();
            firstNs = interval.firstNs();
        }
        for (IntervalEntry entry : entries) {
            for (long bitsOfSignature : entry.signature()) {
                out.putLong(bitsOfSignature);
            }
        }
        return out;
    }

    public static List<IntervalEntry> decode(RecordInput in, KeyTable keys) throws DamagedRecordException {
        int size = in.count(IndexSettings.GROUP_INTERVALS_MAX, INTERVAL_LENGTH_MIN);
        List<Interval> intervals = new ArrayList<>(size);
        List<List<RangeSummary>> ranges = new ArrayList<>(size);
        int[] blocks = new int[size];
        long number = 0;
        long firstNs = 0;
        for (int i = 0; i < size; i++) {
            number += in.count();
            RecordHandle data = in.handle();
            firstNs += in.signed();
            long lastNs = firstNs + in.count();
            int items = in.count(Integer.MAX_VALUE, 0);
            blocks[i] = in.count(Integer.MAX_VALUE, 0);
            intervals.add(new Interval(data, number, firstNs, lastNs, items));
            ranges.add(RangeCodec.top(in, RangeCodec.ranges(in, keys), keys));
        }
        List<IntervalEntry> entries = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            long[] signature = signature(in, blocks[i]);
            entries.add(new IntervalEntry(intervals.get(i), in.bits(), signature, ranges.get(i)));
        }
        return entries;
    }

    private static long[] signature(RecordInput in, int blocks) throws DamagedRecordException {
        if (blocks > IndexSettings.SIGNATURE_BLOCKS_MAX) {
            throw new DamagedRecordException("a signature is too long");
        }
        return in.longs(blocks * KeyBits.BLOCK_LONGS);
    }
}
