package io.chimera.archive.index.key;

import java.util.List;

/**
 * Summary of a range key in an interval or group. Immutable; its arrays are never changed.
 *
 * @param min least value; greater than max without values
 * @param max greatest value
 * @param cells one bit per cell with a value; empty for a key without cells
 * @param top most frequent values
 */
@SuppressWarnings("ArrayRecordComponent") // one per interval and key; never compared
public record RangeSummary(long min, long max, long[] cells, TopValues top) {
    /** Returns the summary of no values. */
    public static RangeSummary empty(IndexKey key) {
        return new RangeSummary(Long.MAX_VALUE, Long.MIN_VALUE, new long[key.cells() / Long.SIZE], TopValues.NONE);
    }

    /** Returns the union of several summaries, without the most frequent values. */
    public static RangeSummary union(IndexKey key, List<RangeSummary> parts) {
        RangeSummary union = empty(key);
        for (RangeSummary part : parts) {
            for (int i = 0; i < union.cells.length; i++) {
                union.cells[i] |= part.cells[i];
            }
            union = new RangeSummary(
                    Math.min(union.min, part.min), Math.max(union.max, part.max), union.cells, TopValues.NONE);
        }
        return union;
    }

    /** Returns true if a value from low to high may be present. */
    boolean mayMeet(IndexKey key, long low, long high) {
        long from = Math.max(low, min);
        long to = Math.min(high, max);
        if (from > to) {
            return false;
        }
        if (cells.length == 0) {
            return true;
        }
        int last = key.cell(to);
        for (int cell = key.cell(from); cell <= last; cell++) {
            if ((cells[cell >>> 6] & 1L << cell) != 0) {
                return true;
            }
        }
        return false;
    }
}
