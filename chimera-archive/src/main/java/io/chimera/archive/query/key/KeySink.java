package io.chimera.archive.query.key;

/** Receives the keys of the items of an interval. Single-threaded. */
public interface KeySink {
    /** Adds a value of an exact key. */
    void add(int key, long hash);

    /** Adds a value of a range key. */
    void addRange(int key, long value);

    /**
     * Returns true if the keys for these 128 bits were already added to the current interval. Keys added before the
     * next call must be derived from these bits.
     *
     * @return false if unknown, and always for zeros
     */
    boolean isRecent(long first, long second);
}
