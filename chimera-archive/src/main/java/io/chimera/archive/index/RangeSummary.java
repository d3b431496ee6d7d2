package io.chimera.archive.index;

import java.util.List;

/**
 * What is known of a range key in an interval or a group. Immutable but for its arrays, which nobody writes.
 *
 * @param min the least value; greater than max if there is none
 * @param max the greatest value
 * @param cells a bit for every cell with a value; empty if the key has none
 * @param top the most frequent values
 */
@SuppressWarnings("ArrayRecordComponent") // one per interval and key; compared nowhere
record RangeSummary(long min, long max, long[] cells, TopValues top) {
    /** Of no values. */
    static RangeSummary empty(IndexKey key) {
        return new RangeSummary(Long.MAX_VALUE, Long.MIN_VALUE, new long[key.cells() / Long.SIZE], TopValues.NONE);
    }

    /** What is known of the values of several together, but how frequent they are. */
    static RangeSummary union(IndexKey key, List<RangeSummary> parts) {
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

    /** Whether there may be a value from low to high. */
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
