package io.chimera.bench.archive;

import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.index.SignatureKind;
import java.util.SplittableRandom;

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
        long packets, long dataBytes, long indexBytes, double reads, long readsMax, double bytes, long bytesMax, double ns) {
    /** What the paper indexed. */
    public static final long PACKETS = 380_000_000;

    private static final int INTERVAL_BYTES = 64 << 10;
    private static final int INTERVAL_PACKETS = 862; // of 60 bytes, 16 of header and none of padding
    private static final int ADDRESSES = 2_500_000;
    private static final int FLOWS = 20_000;
    /** One packet in so many begins a flow. */
    private static final int FLOW_PACKETS = 20;

    private static final int ADDRESS_STEP = 0x61C8_8647; // odd: every address another
    private static final int BATCH = 64 * INTERVAL_PACKETS;
    private static final int MISSES = 200;

    /** Indexes so many packets and searches for addresses that none of them has. */
    public static MissCost of(long packets) {
        TupleIndexer indexer = new TupleIndexer(SignatureKind.SPLIT_BLOCK, true);
        PacketTuples batch = PacketTuples.room(BATCH);
        Traffic traffic = new Traffic();
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
                        TupleIndexer.from((ADDRESSES + i) * ADDRESS_STEP), Long.MIN_VALUE, Long.MAX_VALUE, visited -> true);
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

    /** Flows that come and go, few of which have most packets. */
    private static final class Traffic {
        private final SplittableRandom random = new SplittableRandom(2);
        private final int[] flows = new int[FLOWS];
        private final int[] clients = new int[FLOWS];
        private final int[] servers = new int[FLOWS];
        private int begun;

        private Traffic() {
            for (int slot = 0; slot < FLOWS; slot++) {
                begin(slot);
            }
        }

        private void begin(int slot) {
            flows[slot] = begun++;
            clients[slot] = address();
            servers[slot] = address();
        }

        private int address() {
            double share = random.nextDouble();
            return (int) (ADDRESSES * share * share) * ADDRESS_STEP;
        }

        private void next(PacketTuples into) {
            double share = random.nextDouble();
            int slot = (int) (FLOWS * share * share * share);
            if (random.nextInt(FLOW_PACKETS) == 0) {
                begin(slot);
            }
            into.add(flows[slot], clients[slot], servers[slot], random.nextBoolean());
        }
    }
}
