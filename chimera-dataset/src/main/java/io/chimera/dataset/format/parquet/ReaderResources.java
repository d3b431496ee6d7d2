package io.chimera.dataset.format.parquet;

import io.chimera.dataset.format.ObjectBytes;

/**
 * Object, memory limit and codec that all columns of a reader use. One thread.
 *
 * @param object the object
 * @param budget limit of the memory of all buffers
 * @param codec decompresses the pages
 * @param windowBytes wished length of a read in bytes
 */
record ReaderResources(ObjectBytes object, MemoryBudget budget, PageCodec codec, int windowBytes) {
    private static final int WINDOW_BYTES_MAX = 1 << 28;

    /**
     * Creates the resources of a reader.
     *
     * @param object the object
     * @param memoryBytes limit of the memory of all buffers
     * @param columns number of columns; each one reads its share of a quarter of the memory at once
     */
    static ReaderResources of(ObjectBytes object, long memoryBytes, int columns) {
        int windowBytes = (int) Math.min(WINDOW_BYTES_MAX, memoryBytes / 4 / columns);
        return new ReaderResources(object, new MemoryBudget(memoryBytes), new PageCodec(), windowBytes);
    }
}
