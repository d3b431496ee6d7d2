package io.chimera.archive.index.record;

import io.chimera.archive.streamfs.store.RecordHandle;

/**
 * Record of the data stream, covered by one level-1 signature.
 *
 * @param data handle of the record
 * @param number number of the record in its stream
 * @param firstNs lower bound for the times of its items; ns since 1970; Long.MIN_VALUE if unknown to the index
 * @param lastNs upper bound for the times of its items; ns since 1970
 * @param items number of packets or points; -1 if unknown to the index
 */
public record Interval(RecordHandle data, long number, long firstNs, long lastNs, int items) {
    /** Number of items when the index does not know the number. */
    public static final int UNKNOWN = -1;

    /** Returns true if the interval may hold items of a time span, both ends included. */
    public boolean meets(long afterNs, long beforeNs) {
        return firstNs <= beforeNs && lastNs >= afterNs;
    }
}
