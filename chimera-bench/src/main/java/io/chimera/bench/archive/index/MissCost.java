package io.chimera.bench.archive.index;

import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.index.key.SignatureKind;

/**
 * Cost of a query for an absent packet in the paper's hour of traffic (Hyperion 2007, 7.4): 26 GB, 3.8e8 synthetic
 * packets of 2.5e6 addresses. Only the index is stored.
 *
 * @param packets number of indexed packets
 * @param dataBytes size of their data
 * @param indexBytes size of the index
 * @param reads mean number of records of index and data that a miss reads
 * @param readsMax maximum number of these records
 * @param bytes mean bytes of index and data that a miss reads
 * @param bytesMax maximum of these bytes
 * @param ns time of a miss over the index in memory
 */
public record MissCost(
        long packets,
        long dataBytes,
        long indexBytes,
        double reads,
        long readsMax,
        double bytes,
        long bytesMax,
        double ns) {
    /** Number of packets that the paper indexed. */
    public static final long PACKETS = 380_000_000;

    private static final int INTERVAL_BYTES = 64 << 10;
    private static final int INTERVAL_PACKETS = 862; // 60 bytes each, plus 16 bytes of header, without padding
    private static final int BATCH = 64 * INTERVAL_PACKETS;
    private static final int MISSES = 200;

    /** Indexes the given number of packets and searches for addresses that no packet has. */
    public static MissCost of(long packets) {
        TupleIndexer indexer = new TupleIndexer(SignatureKind.SPLIT_BLOCK, true);
        PacketTuples batch = PacketTuples.room(BATCH);
        PaperTraffic traffic = new PaperTraffic();
        long indexed = 0;
        while (indexed < packets) {
            batch.clear();
            for (int i = 0; i < BATCH; i++) {
                traffic.next(batch);
            }
            indexer.index(batch);
            indexed += BATCH;
        }
        return search(indexer, indexed);
    }

    private static MissCost search(TupleIndexer indexer, long packets) {
        long reads = 0;
        long readsMax = 0;
        long bytes = 0;
        long bytesMax = 0;
        long startNs = System.nanoTime();
        try (IndexSearch search = indexer.index().search()) {
            for (int i = 0; i < MISSES; i++) {
                SearchCounts counts = search.search(
                        TupleIndexer.of(PaperTraffic.stranger(i)), Long.MIN_VALUE, Long.MAX_VALUE, visited -> true);
                long readsNow = counts.indexReads() + counts.intervalsVisited();
                long bytesNow = counts.indexBytes() + counts.intervalsVisited() * INTERVAL_BYTES;
                reads += readsNow;
                bytes += bytesNow;
                readsMax = Math.max(readsMax, readsNow);
                bytesMax = Math.max(bytesMax, bytesNow);
            }
        }
        double ns = (System.nanoTime() - startNs) / (double) MISSES;
        return new MissCost(
                packets,
                packets / INTERVAL_PACKETS * INTERVAL_BYTES,
                indexer.bytes(),
                reads / (double) MISSES,
                readsMax,
                bytes / (double) MISSES,
                bytesMax,
                ns);
    }
}
