package io.chimera.bench.archive.disk;

/**
 * Load for the store: records of random streams with exponentially distributed lengths and a mean of 64 KiB.
 *
 * @param who name in the report
 * @param streams number of streams
 * @param utilisation guaranteed share of the volume, divided among the streams
 * @param bytes measured bytes of records
 * @param hasReads whether a record of 4 KiB follows each record, and other threads read these small records in random
 *     order
 * @param regionBlocks blocks per region to balance the zones of a disk; 0 writes front to end
 */
record StoreLoad(String who, int streams, double utilisation, long bytes, boolean hasReads, int regionBlocks) {
    static StoreLoad of(String who, int streams, long bytes) {
        return new StoreLoad(who, streams, 0, bytes, false, 0);
    }

    StoreLoad withUtilisation(double share) {
        return new StoreLoad(who, streams, share, bytes, hasReads, regionBlocks);
    }

    StoreLoad withReads() {
        return new StoreLoad(who, streams, utilisation, bytes, true, regionBlocks);
    }

    StoreLoad withRegions(int blocks) {
        return new StoreLoad(who, streams, utilisation, bytes, hasReads, blocks);
    }
}
