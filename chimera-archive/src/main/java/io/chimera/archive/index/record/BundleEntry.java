package io.chimera.archive.index.record;

import io.chimera.archive.streamfs.store.RecordHandle;

/**
 * Part of a bundle in the index stream kept in memory.
 *
 * @param record handle of its {@link BundleRecord}
 * @param firstNumber number of its first interval
 * @param lastNumber number of its last interval
 * @param firstNs lower bound for the times of its items; ns since 1970
 * @param lastNs upper bound for the times of its items; ns since 1970
 */
public record BundleEntry(RecordHandle record, long firstNumber, long lastNumber, long firstNs, long lastNs) {
    /** Returns true if the bundle may hold items of a time span, both ends included. */
    public boolean meets(long afterNs, long beforeNs) {
        return firstNs <= beforeNs && lastNs >= afterNs;
    }
}
