package io.chimera.bench.archive.disk;

import java.util.Arrays;

/** Accepted bytes over time, in buckets of 50 ms. One thread. */
final class Timeline {
    static final int BUCKET_MS = 50;
    static final int SECOND = 1000 / BUCKET_MS;
    static final int HALF_SECOND = SECOND / 2;

    private static final long NS_PER_BUCKET = BUCKET_MS * 1_000_000L;

    private final long startNs;
    private long[] buckets = new long[1024];
    private int size;

    /** Creates an empty timeline with a start time. */
    Timeline(long startNs) {
        this.startNs = startNs;
    }

    /** Adds bytes accepted at a time. */
    void add(long nowNs, long bytes) {
        addTo((int) ((nowNs - startNs) / NS_PER_BUCKET), bytes);
    }

    /** Adds bytes to a bucket, counted from 0. */
    void addTo(int bucket, long bytes) {
        if (bucket >= buckets.length) {
            buckets = Arrays.copyOf(buckets, Math.max(bucket + 1, 2 * buckets.length));
        }
        buckets[bucket] += bytes;
        size = Math.max(size, bucket + 1);
    }

    /** Drops all buckets after the given duration. */
    void cut(long ns) {
        size = Math.min(size, (int) (ns / NS_PER_BUCKET) + 1);
    }

    /** Returns the total number of bytes. */
    long bytes() {
        return Arrays.stream(buckets, 0, size).sum();
    }

    /** Returns bytes/s over the worst window of consecutive buckets; excludes the last bucket, which is incomplete. */
    double worst(int window) {
        return extreme(0, window, -1);
    }

    /**
     * Returns bytes/s over the best window; excludes the first window, because buffers accept bytes instantly at the
     * beginning.
     */
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
