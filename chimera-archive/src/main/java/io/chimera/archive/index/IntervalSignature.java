package io.chimera.archive.index;

import io.chimera.api.HotPath;
import io.chimera.archive.index.key.KeyBatch;
import io.chimera.archive.index.key.KeyBits;
import java.util.Arrays;

/**
 * Level-1 signature of the interval in progress. The signature is several times longer than expected, so the number of
 * keys can be estimated without a table of the keys. At the end of the interval, the signature is folded to the needed
 * length. Writer's thread.
 */
final class IntervalSignature {
    /** Minimum blocks; divisible by 1, 2, 3, 4, 5, 6, 10, 12 ..., so folding comes close to any length. */
    private static final int BLOCKS_MIN = 60;
    /**
     * Initial length relative to the last signature. A sudden increase of distinct keys beyond this factor causes
     * additional false positives for one interval.
     */
    private static final int SLACK = 4;

    /** Blocks examined to estimate the number of keys; the error is 1.5 %. */
    private static final int COUNTED_BLOCKS = 120;

    private final KeyBits bits;
    private final int bitsPerKey;
    private final int keysMax;
    private final int blocksMax;
    private final long[] signature;
    private int blocks;

    /** Creates a signature with a limit of distinct keys. */
    IntervalSignature(KeyBits bits, int bitsPerKey, int keysMax) {
        this.bits = bits;
        this.bitsPerKey = bitsPerKey;
        this.keysMax = keysMax;
        blocksMax = KeyBits.blocks(keysMax, bitsPerKey);
        blocks = blocksMax;
        signature = new long[blocksMax * KeyBits.BLOCK_LONGS];
    }

    @HotPath
    void add(KeyBatch keys) {
        bits.set(signature, blocks, keys);
    }

    /** Returns the signature of the interval, empty above the key limit, and starts the next interval. */
    long[] end() {
        int counted = Math.min(blocks, COUNTED_BLOCKS);
        long distinct = bits.distinct(signature, counted) * blocks / counted;
        int needed = KeyBits.blocks(distinct, bitsPerKey);
        long[] ended = distinct > keysMax ? new long[0] : folded(KeyBits.fold(blocks, needed));
        Arrays.fill(signature, 0, blocks * KeyBits.BLOCK_LONGS, 0);
        blocks = needed > blocks ? blocksMax : next(needed);
        return ended;
    }

    private long[] folded(int fold) {
        return fold == 1
                ? Arrays.copyOf(signature, blocks * KeyBits.BLOCK_LONGS)
                : KeyBits.folded(signature, blocks, fold);
    }

    private int next(int needed) {
        int next = BLOCKS_MIN;
        while (next < SLACK * needed) {
            next *= 2;
        }
        return Math.min(next, blocksMax);
    }
}
