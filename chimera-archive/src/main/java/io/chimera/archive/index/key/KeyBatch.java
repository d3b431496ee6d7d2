package io.chimera.archive.index.key;

import io.chimera.api.HotPath;

/** Batch of keys for the signatures; a batch costs half as much as single keys. Writer's thread. */
public final class KeyBatch {
    static final int LENGTH = 512;

    private final long[] keys = new long[LENGTH];
    private int size;

    /**
     * Adds a key to a batch with room. Branch-free, because the novelty of a key is unpredictable.
     *
     * @param count 1 to add the key, 0 to ignore the key
     * @return true if the batch is full
     */
    @HotPath
    public boolean add(long keyed, int count) {
        keys[size] = keyed;
        size += count;
        return size == LENGTH;
    }

    long get(int i) {
        return keys[i];
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }
}
