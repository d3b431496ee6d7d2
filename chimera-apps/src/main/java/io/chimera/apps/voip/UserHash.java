package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Text;

/** Hashes the numbers of users, the same from text in whatever form. */
public final class UserHash {
    private static final long SEED = 0x9E3779B97F4A7C15L;
    private static final long PRIME = 0x100000001B3L;

    private UserHash() {}

    /** Hash of a number in memory of others. */
    @HotPath
    public static long of(Text number) {
        long hash = SEED;
        int size = number.size();
        for (int i = 0; i < size; i++) {
            hash = (hash ^ number.byteAt(i)) * PRIME;
        }
        return mix(hash);
    }

    /** Hash of a number that is all ASCII. */
    @HotPath
    public static long of(String number) {
        long hash = SEED;
        int length = number.length();
        for (int i = 0; i < length; i++) {
            hash = (hash ^ number.charAt(i)) * PRIME;
        }
        return mix(hash);
    }

    /** Hash of two users in their order. */
    @HotPath
    static long ofPair(long one, long other) {
        return mix(one * SEED ^ other);
    }

    /** The finaliser of SplitMix64: every bit of the input moves every bit of the output. */
    static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
