package io.chimera.bench.archive.disk;

import java.util.Arrays;

/** Bytes by the time at which they were taken, in buckets of 50 ms. One thread. */
final class Timeline {
    static final int BUCKET_MS = 50;
    static final int SECOND = 1000 / BUCKET_MS;
    static final int HALF_SECOND = SECOND / 2;

    private static final long NS_PER_BUCKET = BUCKET_MS * 1_000_000L;

    private final long startNs;
    private long[] buckets = new long[1024];
    private int size;

    /** Begins at a time. */
    Timeline(long startNs) {
        this.startNs = startNs;
    }

    /** Bytes that were taken at a time. */
    void add(long nowNs, long bytes) {
        addTo((int) ((nowNs - startNs) / NS_PER_BUCKET), bytes);
    }

    /** Bytes that were taken in a bucket, from 0. */
    void addTo(int bucket, long bytes) {
        if (bucket >= buckets.length) {
            buckets = Arrays.copyOf(buckets, Math.max(bucket + 1, 2 * buckets.length));
        }
        buckets[bucket] += bytes;
        size = Math.max(size, bucket + 1);
    }

    /** Forgets what came later than so long after the start. */
    void cut(long ns) {
        size = Math.min(size, (int) (ns / NS_PER_BUCKET) + 1);
    }

    /** All bytes. */
    long bytes() {
        return Arrays.stream(buckets, 0, size).sum();
    }

    /** Bytes per second over the worst so many buckets that follow each other; the last bucket is not whole, and left out. */
    double worst(int window) {
        return extreme(0, window, -1);
    }

    /** The same over the best; the first so many are left out, as what is buffered is taken in no time at the beginning. */
    double best(int window) {
        return extreme(window, window, 1);
    }

    private double extreme(int first, int window, int sign) {
        int whole = Math.max(1, size - 1);
        int within = Math.min(window, whole);
        int begin = Math.min(first, whole - within);
        long sum = Arrays.stream(buckets, begin, begin + within).sum();
        long found = sum;
        for (int i = begin + within; i < whole; i++) {
            sum += buckets[i] - buckets[i - within];
            found = sign < 0 ? Math.min(found, sum) : Math.max(found, sum);
        }
        return found * 1000.0 / (within * (double) BUCKET_MS);
    }
}
