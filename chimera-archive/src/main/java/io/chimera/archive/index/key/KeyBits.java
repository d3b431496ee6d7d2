package io.chimera.archive.index.key;

import io.chimera.api.HotPath;

/**
 * Signature scheme: the bits set by a key. A signature is a row of blocks of 256 bits, four longs each; the number of
 * blocks depends on the number of keys. In the split-block scheme all bits of a key lie in one block, one bit per
 * eighth, or one bit per quarter if there are few bits per key. In Bloom's scheme the bits lie anywhere.
 *
 * <p>The upper bits of a product select the block. A signature of n * f blocks can therefore be folded to n blocks by
 * combining every f neighbours with or, and the result equals a signature built with n blocks.
 *
 * @param kind kind of the scheme
 * @param bits number of bits set per key
 */
public record KeyBits(SignatureKind kind, int bits) {
    /** Bits per block. */
    public static final int BLOCK_BITS = 256;
    /** Longs per block. */
    public static final int BLOCK_LONGS = BLOCK_BITS / Long.SIZE;
    /** Bytes per block. */
    public static final int BLOCK_BYTES = BLOCK_BITS / Byte.SIZE;
    /** Maximum number of bits set per key. */
    public static final int BITS_MAX = 32;

    private static final int SPLIT_BITS = 8;
    private static final int SPLIT_BITS_FEW = BLOCK_LONGS;
    /** Limit of bits per key up to which four set bits perform at least as well as eight. */
    private static final int FEW_MAX = 10;

    private static final int QUARTER_SHIFT = 6;
    private static final int EIGHTH_SHIFT = 5;
    private static final int EIGHTH_MASK = (1 << EIGHTH_SHIFT) - 1;
    private static final int PAIR_MASK = (1 << (2 * EIGHTH_SHIFT)) - 1;
    private static final long[] PAIRS = pairs();
    private static final long KEY_STEP = 0xA076_1D64_78BD_642FL;
    private static final long SPREAD = 0xE703_7ED1_A0B4_28DBL;
    private static final double LN_2 = 0.693;

    /** Builds the table of bit pairs: one bit in each half of a long, selected by ten bits. */
    private static long[] pairs() {
        long[] pairs = new long[PAIR_MASK + 1];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = 1L << (i & EIGHTH_MASK) | 1L << (Integer.SIZE + (i >>> EIGHTH_SHIFT));
        }
        return pairs;
    }

    /** Returns the best scheme for a number of signature bits per distinct key. */
    public static KeyBits of(SignatureKind kind, int bitsPerKey) {
        if (kind == SignatureKind.SPLIT_BLOCK) {
            return new KeyBits(kind, bitsPerKey <= FEW_MAX ? SPLIT_BITS_FEW : SPLIT_BITS);
        }
        return new KeyBits(kind, Math.min(BITS_MAX, Math.max(1, (int) Math.round(bitsPerKey * LN_2))));
    }

    /** Returns true for a supported scheme. */
    public boolean isValid() {
        return kind == SignatureKind.SPLIT_BLOCK
                ? bits == SPLIT_BITS || bits == SPLIT_BITS_FEW
                : bits >= 1 && bits <= BITS_MAX;
    }

    /** Returns the number of blocks for a number of distinct keys; at least one. */
    public static int blocks(long distinct, int bitsPerKey) {
        return (int) Math.max(1, (distinct * bitsPerKey + BLOCK_BITS - 1) / BLOCK_BITS);
    }

    /**
     * Returns the fold factor that leaves at least the needed blocks: the greatest divisor; 1 for a signature that is
     * already too short.
     */
    public static int fold(int unfolded, int needed) {
        int fold = Math.max(1, unfolded / needed);
        while (unfolded % fold != 0) {
            fold--;
        }
        return fold;
    }

    /** Returns a quarter of a folded block: the union over a range of blocks of a signature. */
    public static long folded(long[] signature, int from, int to, int quarter) {
        long folded = 0;
        for (int block = from; block < to; block++) {
            folded |= signature[block * BLOCK_LONGS + quarter];
        }
        return folded;
    }

    /** Returns a folded copy of a signature. */
    public static long[] folded(long[] signature, int blocks, int fold) {
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

    /** Combines key number and hash: equal values of different keys differ. Never 0. */
    @HotPath
    public static long keyed(int key, long hash) {
        long keyed = hash + (key + 1) * KEY_STEP;
        return keyed == 0 ? 1 : keyed;
    }

    /** Sets the bits of the keys. */
    @HotPath
    public void set(long[] signature, int blocks, KeyBatch keys) {
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

    /** Uses the lowest bits, unused by the eighths, so false positives of the two levels are independent. */
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
     * Estimates the number of distinct keys from the share of unset bits, e^(-bits x keys / all).
     *
     * @param blocks number of leading blocks to examine; they hold a proportional share of the keys
     */
    public long distinct(long[] signature, int blocks) {
        long set = 0;
        for (int i = 0; i < blocks * BLOCK_LONGS; i++) {
            set += Long.bitCount(signature[i]);
        }
        double all = (double) blocks * BLOCK_BITS;
        return Math.round(-Math.log(Math.max(1, all - set) / all) * all / bits);
    }

    /** Returns true if all bits of a key are set. */
    public boolean test(long[] signature, int blocks, long keyed) {
        for (int i = 0; i < bits; i++) {
            int position = position(keyed, i, blocks);
            if ((signature[position >>> 6] & 1L << position) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the position of the i-th bit of a key in a signature with the given number of blocks. */
    public int position(long keyed, int i, int blocks) {
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
