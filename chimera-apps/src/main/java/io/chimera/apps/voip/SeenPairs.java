package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * A Bloom filter of who called whom in this epoch or the last one. Memory is fixed: two sets of bits, of which the older is
 * emptied when an epoch ends. Says of a few pairs that they were there though they were not, the more the fuller it is;
 * never the reverse. One thread.
 */
final class SeenPairs {
    private static final int HASHES = 3;
    private static final int HASH_BITS = 21;

    private final long mask;
    private long[] present;
    private long[] last;

    /**
     * An empty filter.
     *
     * @param bits of each set; a power of two from 64 to 2^21
     */
    SeenPairs(int bits) {
        mask = bits - 1L;
        present = new long[bits >> 6];
        last = new long[bits >> 6];
    }

    /**
     * Adds a pair.
     *
     * @param hash of the pair, all bits mixed
     * @return whether it was not there yet
     */
    @HotPath
    boolean add(long hash) {
        boolean inPresent = true;
        boolean inLast = true;
        long rest = hash;
        for (int i = 0; i < HASHES; i++) {
            long place = rest & mask;
            rest >>>= HASH_BITS;
            int word = (int) (place >>> 6);
            long bit = 1L << place;
            inPresent &= (present[word] & bit) != 0;
            inLast &= (last[word] & bit) != 0;
            present[word] |= bit;
        }
        return !inPresent && !inLast;
    }

    /** Ends an epoch. */
    void endEpoch() {
        long[] oldest = last;
        last = present;
        present = oldest;
        Arrays.fill(present, 0);
    }

    void clear() {
        Arrays.fill(present, 0);
        Arrays.fill(last, 0);
    }
}
