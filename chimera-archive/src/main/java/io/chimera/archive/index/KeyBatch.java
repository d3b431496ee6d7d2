package io.chimera.archive.index;

import io.chimera.api.HotPath;

/** Keys that wait to be superimposed together, which costs half of what one at a time does. Writer's thread. */
final class KeyBatch {
    static final int LENGTH = 512;

    private final long[] keys = new long[LENGTH];
    private int size;

    /**
     * Adds a key where it is not full. Without a branch: whether a key is new is a coin toss.
     *
     * @param count 1, or 0 to leave it out
     * @return whether it is full
     */
    @HotPath
    boolean add(long keyed, int count) {
        keys[size] = keyed;
        size += count;
        return size == LENGTH;
    }

    long get(int i) {
        return keys[i];
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }
}
