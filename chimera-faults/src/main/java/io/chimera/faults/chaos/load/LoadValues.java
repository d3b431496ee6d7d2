package io.chimera.faults.chaos.load;

import java.nio.charset.StandardCharsets;

/**
 * Points of the load as a function of seed, lane, generation, key and index, so no state has to be kept. Values are
 * integers of 20 bits, so sums are exact in a double. Values look random, so a missing point and a duplicate point do
 * not cancel out.
 */
final class LoadValues {
    static final String METRIC = "chaos";
    static final String FIELD = "v";
    static final String TAG = "key";

    /** Keys in each batch of a lane: enough to reach several parts and shards with every batch. */
    static final int KEYS = 8;

    /** Points of each key in a batch; with {@link #KEYS} a request of about 1 KB, journaled as a whole. */
    static final int POINTS_PER_KEY = 2;

    static final int POINTS_PER_BATCH = KEYS * POINTS_PER_KEY;

    private static final long VALUE_MASK = (1 << 20) - 1;

    private LoadValues() {}

    /** Returns the value of a point, 1 to 2^20. */
    static long value(long seed, int lane, int generation, int key, long index) {
        long mixed = mix(seed);
        mixed = mix(mixed ^ ((long) lane << 32 | generation));
        mixed = mix(mixed ^ ((long) key << 48 | index));
        return (mixed & VALUE_MASK) + 1;
    }

    /** Returns the sum of the values of a range of indexes, without the upper bound. */
    static long sum(long seed, int lane, int generation, int key, long from, long to) {
        long sum = 0;
        for (long index = from; index < to; index++) {
            sum += value(seed, lane, generation, key, index);
        }
        return sum;
    }

    static String keyName(int lane, int generation, int key) {
        return "l" + lane + "g" + generation + "k" + key;
    }

    /**
     * Encodes a batch as InfluxDB line protocol.
     *
     * @param batch its number in the generation, from 0
     * @param timeNs time stamp of the first points
     */
    static byte[] batch(long seed, int lane, int generation, long batch, long timeNs) {
        StringBuilder text = new StringBuilder();
        for (int point = 0; point < POINTS_PER_KEY; point++) {
            long index = batch * POINTS_PER_KEY + point;
            for (int key = 0; key < KEYS; key++) {
                text.append(METRIC)
                        .append(',')
                        .append(TAG)
                        .append('=')
                        .append(keyName(lane, generation, key))
                        .append(' ')
                        .append(FIELD)
                        .append('=')
                        .append(value(seed, lane, generation, key, index))
                        .append(".0 ")
                        .append(timeNs + point)
                        .append('\n');
            }
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Finalizer of SplitMix64. */
    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
