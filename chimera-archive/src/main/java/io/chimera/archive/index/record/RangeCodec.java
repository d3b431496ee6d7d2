package io.chimera.archive.index.record;

import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.key.RangeSummary;
import io.chimera.archive.index.key.TopValues;
import java.util.ArrayList;
import java.util.List;

/** Codec for ranges in records of the index. */
public final class RangeCodec {
    private RangeCodec() {}

    /** Writes the ranges of all range keys. */
    public static void put(RecordOutput out, List<RangeSummary> ranges) {
        for (RangeSummary range : ranges) {
            boolean isEmpty = range.min() > range.max();
            out.putCount(isEmpty ? 0 : 1);
            if (isEmpty) {
                continue;
            }
            out.putSigned(range.min()).putCount(range.max() - range.min());
            for (long cells : range.cells()) {
                out.putLong(cells);
            }
        }
    }

    /** Reads the ranges of all range keys. */
    public static List<RangeSummary> ranges(RecordInput in, KeyTable keys) throws DamagedRecordException {
        List<RangeSummary> ranges = new ArrayList<>();
        for (IndexKey key : keys.ranges()) {
            if (in.count() == 0) {
                ranges.add(RangeSummary.empty(key));
                continue;
            }
            long min = in.signed();
            long max = min + in.count();
            if (max < min) {
                throw new DamagedRecordException("a range ends before it begins");
            }
            ranges.add(new RangeSummary(min, max, in.longs(key.cells() / Long.SIZE), TopValues.NONE));
        }
        return ranges;
    }

    /** Writes the most frequent values of all keys that keep them. */
    static void putTop(RecordOutput out, List<RangeSummary> ranges, KeyTable keys) {
        for (int i = 0; i < ranges.size(); i++) {
            if (keys.ranges().get(i).top() == 0) {
                continue;
            }
            TopValues top = ranges.get(i).top();
            out.putCount(top.values().length).putCount(top.rest());
            for (int j = 0; j < top.values().length; j++) {
                out.putSigned(top.values()[j]).putCount(top.counts()[j]);
            }
        }
    }

    /** Reads the most frequent values and adds them to the ranges. */
    static List<RangeSummary> top(RecordInput in, List<RangeSummary> ranges, KeyTable keys)
            throws DamagedRecordException {
        for (int i = 0; i < ranges.size(); i++) {
            if (keys.ranges().get(i).top() > 0) {
                RangeSummary range = ranges.get(i);
                ranges.set(i, new RangeSummary(range.min(), range.max(), range.cells(), top(in)));
            }
        }
        return ranges;
    }

    private static TopValues top(RecordInput in) throws DamagedRecordException {
        int size = in.count(IndexKey.TOP_MAX, 2);
        long rest = in.count();
        long[] values = new long[size];
        long[] counts = new long[size];
        for (int i = 0; i < size; i++) {
            values[i] = in.signed();
            counts[i] = in.count();
        }
        return new TopValues(values, counts, rest);
    }
}
