package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * A Bloom filter of who called whom in this epoch or the last one. Memory is fixed: two sets of bits, of which the older is
 * emptied when an epoch ends. Says of a few pairs that they were there though they were not, the more the fuller it is;
 * never the reverse. All bits of a pair, in both sets, lie in one block of the size of a cache line:
 *
 * <pre>
 *   block = [ 256 bits of the present epoch | 256 bits of the last epoch ]   the halves change places
 * </pre>
 *
 * <p>One thread.
 */
final class SeenPairs {
    private static final int HASHES = 3;
    private static final long SEED = 0x9E3779B97F4A7C15L;

    /** Words of a block, and of each half of it. */
    private static final int BLOCK = 8;

    private static final int HALF = BLOCK / 2;

    /** A place in half a block: one of 256 bits. */
    private static final int PLACE_BITS = 8;

    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

    /** Where the bits of the hash begin that say the places; those below say the block. */
    private static final int PLACES = 40;

    private final long[] words;
    private final long mask;

    /** Index in the block of the half of the present epoch. */
    private int present;

    /**
     * An empty filter.
     *
     * @param bits of each set; a power of two from 64 to 2^21
     */
    SeenPairs(int bits) {
        int blocks = Math.max(1, bits >> PLACE_BITS);
        words = new long[blocks * BLOCK];
        mask = blocks - 1L;
    }

    /**
     * Adds a pair, in this order.
     *
     * @param one hash of the one
     * @param other hash of the other
     * @return whether it was not there yet
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

    /** The finaliser of SplitMix64: every bit of the input moves every bit of the output. */
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
