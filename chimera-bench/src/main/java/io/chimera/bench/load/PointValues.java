package io.chimera.bench.load;

/** Values and times of generated points: a pure function of seed, point and field. */
final class PointValues {
    /** 2023-11-14T22:13:20Z. */
    private static final long FIRST_TIME_NS = 1_700_000_000_000_000_000L;

    private static final long STEP_NS = 10_000_000_000L;

    private PointValues() {}

    /** Returns a number with the given number of digits, without a leading zero. */
    static int number(long seed, long point, int field, int digits) {
        int least = 1;
        for (int i = 1; i < digits; i++) {
            least *= 10;
        }
        long bits = mix(seed + mix(point * 64 + field));
        return least + (int) Long.remainderUnsigned(bits, 9L * least);
    }

    /** Returns the value of a double field in hundredths. */
    static int hundredths(long seed, long point, int field) {
        return number(seed, point, field, 4);
    }

    /** Returns the time of a point; all series report together, every ten seconds. */
    static long timeNs(long point, int series) {
        return FIRST_TIME_NS + point / series * STEP_NS;
    }

    /** Finalizer of SplitMix64. */
    private static long mix(long value) {
        long bits = value + 0x9E3779B97F4A7C15L;
        bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
        return bits ^ (bits >>> 31);
    }
}
