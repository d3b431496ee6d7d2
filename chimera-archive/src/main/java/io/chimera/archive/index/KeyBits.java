package io.chimera.archive.index;

import io.chimera.api.HotPath;

/**
 * Which bits of a signature a key sets. A signature is a row of blocks of 256 bits, four longs each, as many as its number of
 * keys needs. Of the split-block kind all bits of a key lie in one block, one in every eighth of it, or one in every quarter
 * where there are few bits for a key; of Bloom's kind they lie anywhere.
 *
 * <p>The block is chosen by the upper bits of a product. So a signature of n * f blocks folds into one of n by or-ing every f
 * neighbours, and the result is what n blocks would have been from the start.
 *
 * @param kind how keys are superimposed
 * @param bits how many bits a key sets
 */
record KeyBits(SignatureKind kind, int bits) {
    /** Bits of a block. */
    static final int BLOCK_BITS = 256;
    /** Longs of a block. */
    static final int BLOCK_LONGS = BLOCK_BITS / Long.SIZE;
    /** Bytes of a block. */
    static final int BLOCK_BYTES = BLOCK_BITS / Byte.SIZE;
    /** The most bits that a key sets. */
    static final int BITS_MAX = 32;

    private static final int SPLIT_BITS = 8;
    private static final int SPLIT_BITS_FEW = BLOCK_LONGS;
    /** Up to so many bits for a key, four of them set are as good as eight, or better. */
    private static final int FEW_MAX = 10;

    private static final int QUARTER_SHIFT = 6;
    private static final int EIGHTH_SHIFT = 5;
    private static final int EIGHTH_MASK = (1 << EIGHTH_SHIFT) - 1;
    private static final int PAIR_MASK = (1 << (2 * EIGHTH_SHIFT)) - 1;
    private static final long[] PAIRS = pairs();
    private static final long KEY_STEP = 0xA076_1D64_78BD_642FL;
    private static final long SPREAD = 0xE703_7ED1_A0B4_28DBL;
    private static final double LN_2 = 0.693;

    /** One bit in either half of a long, from ten bits. */
    private static long[] pairs() {
        long[] pairs = new long[PAIR_MASK + 1];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = 1L << (i & EIGHTH_MASK) | 1L << (Integer.SIZE + (i >>> EIGHTH_SHIFT));
        }
        return pairs;
    }

    /** The best for a signature with so many bits per distinct key. */
    static KeyBits of(SignatureKind kind, int bitsPerKey) {
        if (kind == SignatureKind.SPLIT_BLOCK) {
            return new KeyBits(kind, bitsPerKey <= FEW_MAX ? SPLIT_BITS_FEW : SPLIT_BITS);
        }
        return new KeyBits(kind, Math.min(BITS_MAX, Math.max(1, (int) Math.round(bitsPerKey * LN_2))));
    }

    /** Whether signatures can be made like this. */
    boolean isValid() {
        return kind == SignatureKind.SPLIT_BLOCK
                ? bits == SPLIT_BITS || bits == SPLIT_BITS_FEW
                : bits >= 1 && bits <= BITS_MAX;
    }

    /** Blocks of a signature for so many distinct keys; at least one. */
    static int blocks(long distinct, int bitsPerKey) {
        return (int) Math.max(1, (distinct * bitsPerKey + BLOCK_BITS - 1) / BLOCK_BITS);
    }

    /** By how much a signature can be folded and keep so many blocks: the greatest divisor; 1 if it is too short already. */
    static int fold(int unfolded, int needed) {
        int fold = Math.max(1, unfolded / needed);
        while (unfolded % fold != 0) {
            fold--;
        }
        return fold;
    }

    /** A quarter of a block of a folded signature: that of all blocks of another one, folded or not, that it stands for. */
    static long folded(long[] signature, int from, int to, int quarter) {
        long folded = 0;
        for (int block = from; block < to; block++) {
            folded |= signature[block * BLOCK_LONGS + quarter];
        }
        return folded;
    }

    /** A signature of so many blocks, folded. */
    static long[] folded(long[] signature, int blocks, int fold) {
        long[] folded = new long[blocks / fold * BLOCK_LONGS];
        int from = 0;
        for (int to = 0; to < folded.length; to += BLOCK_LONGS) {
            for (int end = from + fold * BLOCK_LONGS; from < end; from += BLOCK_LONGS) {
                folded[to] |= signature[from];
                folded[to + 1] |= signature[from + 1];
                folded[to + 2] |= signature[from + 2];
                folded[to + 3] |= signature[from + 3];
            }
        }
        return folded;
    }

    /** The hash of a value as it is superimposed: equal values of different keys differ. Never 0. */
    @HotPath
    static long keyed(int key, long hash) {
        long keyed = hash + (key + 1) * KEY_STEP;
        return keyed == 0 ? 1 : keyed;
    }

    /** Sets the bits of keys. */
    @HotPath
    void set(long[] signature, int blocks, KeyBatch keys) {
        if (kind != SignatureKind.SPLIT_BLOCK) {
            setAnywhere(signature, blocks, keys);
        } else if (bits == SPLIT_BITS) {
            setEighths(signature, blocks, keys);
        } else {
            setQuarters(signature, blocks, keys);
        }
    }

    private void setAnywhere(long[] signature, int blocks, KeyBatch keys) {
        for (int i = 0; i < keys.size(); i++) {
            for (int bit = 0; bit < bits; bit++) {
                int position = position(keys.get(i), bit, blocks);
                signature[position >>> 6] |= 1L << position;
            }
        }
    }

    private static void setEighths(long[] signature, int blocks, KeyBatch keys) {
        for (int i = 0; i < keys.size(); i++) {
            long keyed = keys.get(i);
            long spread = keyed * SPREAD;
            int at = block((int) (keyed >>> Integer.SIZE), blocks) * BLOCK_LONGS;
            signature[at] |= PAIRS[(int) (spread >>> 54)];
            signature[at + 1] |= PAIRS[(int) (spread >>> 44) & PAIR_MASK];
            signature[at + 2] |= PAIRS[(int) (spread >>> 34) & PAIR_MASK];
            signature[at + 3] |= PAIRS[(int) (spread >>> 24) & PAIR_MASK];
        }
    }

    /** From the lowest bits, which eighths do not use: false positives of both levels have nothing in common. */
    private static void setQuarters(long[] signature, int blocks, KeyBatch keys) {
        for (int i = 0; i < keys.size(); i++) {
            long keyed = keys.get(i);
            long spread = keyed * SPREAD;
            int at = block((int) (keyed >>> Integer.SIZE), blocks) * BLOCK_LONGS;
            signature[at] |= 1L << spread;
            signature[at + 1] |= 1L << (spread >>> QUARTER_SHIFT);
            signature[at + 2] |= 1L << (spread >>> (2 * QUARTER_SHIFT));
            signature[at + 3] |= 1L << (spread >>> (3 * QUARTER_SHIFT));
        }
    }

    /**
     * How many distinct keys were set, told from the bits that were not, whose share is e^(-bits x keys / all).
     *
     * @param blocks the first of the signature; as many as have its keys in proportion
     */
    long distinct(long[] signature, int blocks) {
        long set = 0;
        for (int i = 0; i < blocks * BLOCK_LONGS; i++) {
            set += Long.bitCount(signature[i]);
        }
        double all = (double) blocks * BLOCK_BITS;
        return Math.round(-Math.log(Math.max(1, all - set) / all) * all / bits);
    }

    /** Whether all bits of a key are set. */
    boolean test(long[] signature, int blocks, long keyed) {
        for (int i = 0; i < bits; i++) {
            int position = position(keyed, i, blocks);
            if ((signature[position >>> 6] & 1L << position) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Position of the i-th bit of a key in a signature of so many blocks. */
    int position(long keyed, int i, int blocks) {
        if (kind == SignatureKind.SPLIT_BLOCK) {
            int first = block((int) (keyed >>> Integer.SIZE), blocks) * BLOCK_BITS;
            if (bits == SPLIT_BITS_FEW) {
                return first
                        + (i << QUARTER_SHIFT)
                        + ((int) ((keyed * SPREAD) >>> (QUARTER_SHIFT * i)) & (Long.SIZE - 1));
            }
            int shift = 54 - 10 * (i >>> 1) + EIGHTH_SHIFT * (i & 1);
            return first + (i << EIGHTH_SHIFT) + ((int) ((keyed * SPREAD) >>> shift) & EIGHTH_MASK);
        }
        int mixed = (int) (keyed >>> Integer.SIZE) + i * ((int) keyed | 1);
        return block(mixed, blocks) * BLOCK_BITS + (mixed & (BLOCK_BITS - 1));
    }

    private static int block(int bits, int blocks) {
        return (int) (((bits & 0xFFFF_FFFFL) * blocks) >>> Integer.SIZE);
    }
}
