package io.chimera.archive.index;

import io.chimera.archive.streamfs.RecordHandle;

/**
 * What one level-1 signature stands for: one record of the data stream.
 *
 * @param data where the record is
 * @param number the number of the record in its stream
 * @param firstNs no item is older; ns since 1970; Long.MIN_VALUE where the index does not know
 * @param lastNs no item is younger; ns since 1970
 * @param items packets or points in it; -1 where the index does not know
 */
public record Interval(RecordHandle data, long number, long firstNs, long lastNs, int items) {
    /** Number of items where the index does not know it. */
    public static final int UNKNOWN = -1;

    /** Whether it may hold something of a span of time, both ends included. */
    boolean meets(long afterNs, long beforeNs) {
        return firstNs <= beforeNs && lastNs >= afterNs;
    }
}
