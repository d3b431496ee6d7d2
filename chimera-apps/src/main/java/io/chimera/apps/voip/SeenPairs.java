package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * Bloom filter of caller-callee pairs in the current and the previous epoch. Memory is fixed: two sets of bits, and the
 * older set is cleared at the end of an epoch. The filter reports some absent pairs as present, more of them with
 * higher load, but never the reverse. All bits of a pair, in both sets, lie in one block of the size of a cache line:
 *
 * <pre>
 *   block = [ 256 bits of the current epoch | 256 bits of the previous epoch ]   the halves swap at the end of an epoch
 * </pre>
 *
 * <p>One thread.
 */
final class SeenPairs {
    private static final int HASHES = 3;
    private static final long SEED = 0x9E3779B97F4A7C15L;

    /** Size of a block and of its halves in words. */
    private static final int BLOCK = 8;

    private static final int HALF = BLOCK / 2;

    /** Bits of a position in half a block: one of 256 bits. */
    private static final int PLACE_BITS = 8;

    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

    /** First hash bit used for positions; the lower bits select the block. */
    private static final int PLACES = 40;

    private final long[] words;
    private final long mask;

    /** Offset in a block of the half of the current epoch. */
    private int present;

    /**
     * Creates an empty filter.
     *
     * @param bits size of each set in bits; a power of two from 64 to 2^21
     */
    SeenPairs(int bits) {
        int blocks = Math.max(1, bits >> PLACE_BITS);
        words = new long[blocks * BLOCK];
        mask = blocks - 1L;
    }

    /**
     * Adds an ordered pair.
     *
     * @param one hash of the first user
     * @param other hash of the second user
     * @return whether the pair was absent
     */
    @HotPath
    boolean add(long one, long other) {
        long hash = mix(one * SEED ^ other);
        int block = (int) (hash & mask) * BLOCK;
        int rest = (int) (hash >>> PLACES);
        boolean inPresent = true;
        boolean inLast = true;
        for (int i = 0; i < HASHES; i++) {
            int place = rest & PLACE_MASK;
            rest >>>= PLACE_BITS;
            int word = block + (place >>> 6);
            long bit = 1L << place;
            inPresent &= (words[word + present] & bit) != 0;
            inLast &= (words[word + HALF - present] & bit) != 0;
            words[word + present] |= bit;
        }
        return !inPresent && !inLast;
    }

    /** Finaliser of SplitMix64: every input bit affects every output bit. */
    static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** Ends an epoch. */
    void endEpoch() {
        present = HALF - present;
        for (int block = 0; block < words.length; block += BLOCK) {
            Arrays.fill(words, block + present, block + present + HALF, 0);
        }
    }

    void clear() {
        Arrays.fill(words, 0);
    }
}
