package io.chimera.apps.trending;

/** Pseudo-random numbers derived from a seed alone (SplitMix64). One thread. */
final class Draws {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1p-53;

    private long state;

    /** Begins the sequence of a tweet. */
    Draws begin(long seed, long index, int purpose) {
        state = mix(seed * GOLDEN + index) + purpose * GOLDEN;
        return this;
    }

    /** Returns a number from 0 to below a bound. */
    int below(int bound) {
        return (int) (next() * UNIT * bound);
    }

    /** Returns true with a probability in thousandths. */
    boolean permille(int times) {
        return below(1_000) < times;
    }

    /** Returns a number from 0 to below 1. */
    double unit() {
        return next() * UNIT;
    }

    private long next() {
        state += GOLDEN;
        return mix(state) >>> 11;
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
