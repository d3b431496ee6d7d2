package io.chimera.queue.parser.remotewrite;

/**
 * Number of elements of a request that count as written: stored, or accepted and dropped by a rule of the input. Not
 * thread-safe.
 */
public final class WrittenCounts {
    private long samples;
    private long exemplars;

    WrittenCounts() {}

    void clear() {
        samples = 0;
        exemplars = 0;
    }

    void addSample() {
        samples++;
    }

    void addExemplars(int count) {
        exemplars += count;
    }

    /** Number of samples. */
    public long samples() {
        return samples;
    }

    /** Number of exemplars. */
    public long exemplars() {
        return exemplars;
    }
}
