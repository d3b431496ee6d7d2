package io.chimera.archive.index;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * The level-1 signature of the interval that is being written. It is some times longer than the keys are expected to need, so
 * that their number can be told from it without a table of them; when the interval ends it is folded to what they need.
 * Writer's thread.
 */
final class IntervalSignature {
    /** Folds by 1, 2, 3, 4, 5, 6, 10, 12 ...: a signature comes close to any length. */
    private static final int BLOCKS_MIN = 60;
    /** How much longer than the last one: traffic that is that much more mixed all at once costs false positives, once. */
    private static final int SLACK = 4;

    /** What is looked at to tell the number of keys: 1.5 % of it are doubtful. */
    private static final int COUNTED_BLOCKS = 120;

    private final KeyBits bits;
    private final int bitsPerKey;
    private final int keysMax;
    private final int blocksMax;
    private final long[] signature;
    private int blocks;

    /** For so many distinct keys at most. */
    IntervalSignature(KeyBits bits, int bitsPerKey, int keysMax) {
        this.bits = bits;
        this.bitsPerKey = bitsPerKey;
        this.keysMax = keysMax;
        blocksMax = KeyBits.blocks(keysMax, bitsPerKey);
        blocks = blocksMax;
        signature = new long[blocksMax * KeyBits.BLOCK_LONGS];
    }

    /** Adds keys. */
    @HotPath
    void add(KeyBatch keys) {
        bits.set(signature, blocks, keys);
    }

    /** The signature of what was added; empty if these were too many keys. Begins the next interval. */
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
