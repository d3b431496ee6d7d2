package io.chimera.bench.archive.disk;

/**
 * What is written to the store: records of streams of chance, their lengths exponential with a mean of 64 KiB.
 *
 * @param who names it in the report
 * @param streams that records are of
 * @param utilisation share of the volume that is guaranteed, divided among the streams
 * @param bytes of records that are measured
 * @param hasReads whether a record of 4 KiB is appended behind each, and one of those read at random, by other threads
 * @param regionBlocks blocks of a region where the zones of a disk are to be balanced; 0: front to end
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
