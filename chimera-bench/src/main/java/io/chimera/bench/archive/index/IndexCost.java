package io.chimera.bench.archive.index;

import io.chimera.archive.index.key.SignatureKind;

/**
 * Cost of an index, on the caller's thread.
 *
 * @param packets number of packets per pass
 * @param ns time per packet
 * @param paperNs time per packet of the paper's computation
 * @param bytes bytes of index per packet
 */
public record IndexCost(int packets, double ns, double paperNs, double bytes) {
    private static final int WARM_PACKETS = 4_000_000;
    private static final int PASSES = 15;
    private static final long PACKETS_MIN = 20_000_000;

    /** Measures both in turn. The fastest pass counts, because other work on the machine only adds time. */
    public static IndexCost of(PacketTuples packets) {
        TupleIndexer indexer = new TupleIndexer(SignatureKind.SPLIT_BLOCK, false);
        PaperIndexer paper = new PaperIndexer();
        long leastNs = Long.MAX_VALUE;
        long leastPaperNs = Long.MAX_VALUE;
        long sum = 0;
        int passes = PASSES + WARM_PACKETS / packets.size();
        for (int pass = 0; pass < passes; pass++) {
            long startNs = System.nanoTime();
            indexer.index(packets);
            long indexedNs = System.nanoTime();
            sum += paper.index(packets);
            long endNs = System.nanoTime();
            leastNs = Math.min(leastNs, indexedNs - startNs);
            leastPaperNs = Math.min(leastPaperNs, endNs - indexedNs);
        }
        if (sum == 0) {
            throw new IllegalStateException("The paper's signatures are empty.");
        }
        double size = packets.size();
        return new IndexCost(packets.size(), leastNs / size, leastPaperNs / size, bytes(packets));
    }

    /** Returns the bytes of an index over the packets, repeated until most bundles are full. */
    static double bytes(PacketTuples packets) {
        TupleIndexer indexer = new TupleIndexer(SignatureKind.SPLIT_BLOCK, false);
        int rounds = 0;
        while ((long) rounds * packets.size() < PACKETS_MIN) {
            indexer.index(packets);
            rounds++;
        }
        indexer.finish();
        return indexer.bytes() / ((double) rounds * packets.size());
    }
}
