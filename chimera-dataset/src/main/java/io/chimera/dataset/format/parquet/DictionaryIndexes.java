package io.chimera.dataset.format.parquet;

/** Indexes into the dictionary of a column chunk. */
final class DictionaryIndexes {
    private DictionaryIndexes() {}

    /** Starts with the indexes of a page: the bit width in one byte, then the runs. */
    static void open(HybridDecoder runs, byte[] bytes, int from, int end) {
        // A page whose values are all null may have no byte at all.
        if (from == end) {
            runs.open(bytes, from, end, 0);
        } else {
            runs.open(bytes, from + 1, end, bytes[from] & 0xFF);
        }
    }

    /** Reads indexes and compares them with the size of the dictionary. */
    static void read(HybridDecoder runs, int[] into, int count, int size) {
        runs.read(into, count);
        for (int i = 0; i < count; i++) {
            if (Integer.compareUnsigned(into[i], size) >= 0) {
                throw new ParquetDefect("index " + into[i] + " into a dictionary of " + size + " values");
            }
        }
    }
}
