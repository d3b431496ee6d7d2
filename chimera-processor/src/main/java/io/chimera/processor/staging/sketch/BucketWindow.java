package io.chimera.processor.staging.sketch;

import java.util.Arrays;

/** Counts of exponential buckets of one sign, from the first to the last bucket with a count. */
final class BucketWindow {
    /** Maximum number of buckets from the first to the last one. */
    static final int BUCKETS_MAX = 320;

    private long[] counts = new long[16];
    private int first;
    private int length;

    BucketWindow() {}

    /** Index of the first bucket. */
    int first() {
        return first;
    }

    /** Number of buckets from the first to the last one; 0 without a count. */
    int length() {
        return length;
    }

    /** Count of a bucket, 0 to {@link #length()} - 1 after the first. */
    long count(int place) {
        return counts[place];
    }

    /**
     * Adds to a bucket.
     *
     * @return false, without a change, if the window would have more than {@link #BUCKETS_MAX} buckets
     */
    boolean add(int index, long count) {
        int place = index - first;
        if (place < 0 || place >= length) {
            if (!include(index)) {
                return false;
            }
            place = index - first;
        }
        counts[place] = sum(counts[place], count);
        return true;
    }

    /** Adds counts; a sum above the largest long is the largest long, in any order. */
    static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private boolean include(int index) {
        if (length == 0) {
            first = index;
            length = 1;
            return true;
        }
        long begin = Math.min(first, index);
        long needed = Math.max((long) first + length - 1, index) - begin + 1;
        if (needed > BUCKETS_MAX) {
            return false;
        }
        int ahead = (int) (first - begin);
        if (needed > counts.length) {
            counts = Arrays.copyOf(counts, (int) Math.min(BUCKETS_MAX, Math.max(needed, 2L * counts.length)));
        }
        if (ahead > 0) {
            System.arraycopy(counts, 0, counts, ahead, length);
            Arrays.fill(counts, 0, Math.min(ahead, length), 0);
            Arrays.fill(counts, Math.min(ahead, length), ahead, 0);
        }
        first = (int) begin;
        length = (int) needed;
        return true;
    }

    /** Reduces the scale by one: pairs of buckets become one bucket. */
    void halve() {
        int begin = first >> 1;
        int used = length;
        int newLength = used == 0 ? 0 : ((first + used - 1) >> 1) - begin + 1;
        for (int i = 0; i < used; i++) {
            long count = counts[i];
            counts[i] = 0;
            int pair = ((first + i) >> 1) - begin;
            counts[pair] = sum(counts[pair], count);
        }
        first = begin;
        length = newLength;
    }
}
