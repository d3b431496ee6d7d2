package io.chimera.archive.index;

import io.chimera.archive.streamfs.RecordHandle;

/**
 * What is kept in memory of a bundle in the index stream.
 *
 * @param record where its {@link BundleRecord} is
 * @param firstNumber of its first interval
 * @param lastNumber of its last interval
 * @param firstNs no item is older; ns since 1970
 * @param lastNs no item is younger; ns since 1970
 */
record BundleEntry(RecordHandle record, long firstNumber, long lastNumber, long firstNs, long lastNs) {
    /** Whether it may hold something of a span of time, both ends included. */
    boolean meets(long afterNs, long beforeNs) {
        return firstNs <= beforeNs && lastNs >= afterNs;
    }
}
