package io.chimera.bench.archive.index;




import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.index.SignatureKind;

/**
 * What it costs to learn that a packet is not there: the paper's hour of traffic (Hyperion 2007, 7.4), 26 GB, 3.8e8 packets of
 * 2.5e6 addresses, made up, of which only the index is kept.
 *
 * @param packets that were indexed
 * @param dataBytes what their data would have
 * @param indexBytes of the index
 * @param reads records of index and data that a miss reads, on average
 * @param readsMax the same, at most
 * @param bytes bytes of index and data that a miss reads, on average
 * @param bytesMax the same, at most
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
    /** What the paper indexed. */
    public static final long PACKETS = 380_000_000;

    private static final int INTERVAL_BYTES = 64 << 10;
    private static final int INTERVAL_PACKETS = 862; // of 60 bytes, 16 of header and none of padding
    private static final int BATCH = 64 * INTERVAL_PACKETS;
    private static final int MISSES = 200;

    /** Indexes so many packets and searches for addresses that none of them has. */
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
