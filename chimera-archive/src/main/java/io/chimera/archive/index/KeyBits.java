package io.chimera.archive.index;

import io.chimera.api.HotPath;

/**
 * Which bits of a signature a key sets. A signature is a row of blocks of 256 bits, four longs each, as many as its number of
 * keys needs. Of the split-block kind all bits of a key lie in one block, one in every eighth of it; of Bloom's kind they lie
 * anywhere.
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
    private static final int EIGHTH_SHIFT = 5;
    private static final int EIGHTH_MASK = (1 << EIGHTH_SHIFT) - 1;
    private static final long KEY_STEP = 0xA076_1D64_78BD_642FL;
    private static final long SPREAD = 0xE703_7ED1_A0B4_28DBL;
    private static final double LN_2 = 0.693;

    /** The best for a signature with so many bits per distinct key. */
    static KeyBits of(SignatureKind kind, int bitsPerKey) {
        int best = Math.min(BITS_MAX, Math.max(1, (int) Math.round(bitsPerKey * LN_2)));
        return new KeyBits(kind, kind == SignatureKind.SPLIT_BLOCK ? SPLIT_BITS : best);
    }

    /** Blocks of a signature for so many distinct keys; at least one. */
    static int blocks(long distinct, int bitsPerKey) {
        return (int) Math.max(1, (distinct * bitsPerKey + BLOCK_BITS - 1) / BLOCK_BITS);
    }

    /** By how much a signature can be folded and keep so many blocks: the greatest divisor; 1 if it is too short already. */
    static int fold(int unfolded, int blocks) {
        int fold = Math.max(1, unfolded / blocks);
        while (unfolded % fold != 0) {
            fold--;
        }
        return fold;
    }

    /**
     * How many distinct keys set the bits of a signature, about: by the share of bits that are set. A signature that is full stands
     * for as many as there are bits.
     */
    long distinct(long[] signature) {
        double all = (double) signature.length * Long.SIZE;
        double set = 0;
        for (long word : signature) {
            set += Long.bitCount(word);
        }
        double empty = 1 - set / all;
        return empty == 0 ? (long) all : Math.round(-all * Math.log(empty) / bits);
    }

    /** A signature of fewer blocks for the same keys: as few as are at least so many and divide it. */
    static long[] fold(long[] signature, int blocksMin) {
        int fold = fold(signature.length / BLOCK_LONGS, blocksMin);
        if (fold == 1) {
            return signature;
        }
        long[] folded = new long[signature.length / fold];
        for (int i = 0; i < folded.length; i++) {
            int block = i / BLOCK_LONGS;
            folded[i] = folded(signature, block * fold, (block + 1) * fold, i % BLOCK_LONGS);
        }
        return folded;
    }

    /** A quarter of a block of a folded signature: that of all blocks of another one, folded or not, that it stands for. */
    static long folded(long[] signature, int from, int to, int quarter) {
        long folded = 0;
        for (int block = from; block < to; block++) {
            folded |= signature[block * BLOCK_LONGS + quarter];
        }
        return folded;
    }

    /** The hash of a value as it is superimposed: equal values of different keys differ. Never 0. */
    @HotPath
    static long keyed(int key, long hash) {
        long keyed = KeyHash.mix(hash + (key + 1) * KEY_STEP);
        return keyed == 0 ? 1 : keyed;
    }

    /** Sets the bits of a key. Whether one of them was not set before. */
    @HotPath
    boolean set(long[] signature, int blocks, long keyed) {
        if (kind == SignatureKind.SPLIT_BLOCK) {
            return setInBlock(signature, block((int) (keyed >>> Integer.SIZE), blocks) * BLOCK_LONGS, keyed * SPREAD);
        }
        boolean isNew = false;
        for (int i = 0; i < bits; i++) {
            int position = position(keyed, i, blocks);
            long bit = 1L << position;
            isNew |= (signature[position >>> 6] & bit) == 0;
            signature[position >>> 6] |= bit;
        }
        return isNew;
    }

    /** Without branches: whether a key is new is a coin toss. */
    private static boolean setInBlock(long[] signature, int at, long spread) {
        long first = signature[at];
        long second = signature[at + 1];
        long third = signature[at + 2];
        long fourth = signature[at + 3];
        long firstSet = first | pair(spread >>> 54);
        long secondSet = second | pair(spread >>> 44);
        long thirdSet = third | pair(spread >>> 34);
        long fourthSet = fourth | pair(spread >>> 24);
        signature[at] = firstSet;
        signature[at + 1] = secondSet;
        signature[at + 2] = thirdSet;
        signature[at + 3] = fourthSet;
        return ((first ^ firstSet) | (second ^ secondSet) | (third ^ thirdSet) | (fourth ^ fourthSet)) != 0;
    }

    /** One bit in either half of a long, from the ten lowest bits. */
    private static long pair(long spread) {
        return 1L << (spread & EIGHTH_MASK) | 1L << (Integer.SIZE + (spread >>> EIGHTH_SHIFT & EIGHTH_MASK));
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
            int shift = 54 - 10 * (i >>> 1) + EIGHTH_SHIFT * (i & 1);
            int bit = (int) ((keyed * SPREAD) >>> shift) & EIGHTH_MASK;
            return block((int) (keyed >>> Integer.SIZE), blocks) * BLOCK_BITS + (i << EIGHTH_SHIFT) + bit;
        }
        int mixed = (int) (keyed >>> Integer.SIZE) + i * ((int) keyed | 1);
        return block(mixed, blocks) * BLOCK_BITS + (mixed & (BLOCK_BITS - 1));
    }

    private static int block(int bits, int blocks) {
        return (int) (((bits & 0xFFFF_FFFFL) * blocks) >>> Integer.SIZE);
    }
}
