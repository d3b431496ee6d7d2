package io.chimera.dataset.format.parquet;

/** Decodes values that are runs or bits: booleans, and indexes into a dictionary of numbers. One thread. */
final class RunNumbers implements NumberDecoder {
    private static final long[] BOOLEANS = {0, 1};

    private final HybridDecoder runs = new HybridDecoder();
    private final int[] scratch = new int[ParquetReader.BATCH_ROWS];
    private long[] dictionary = BOOLEANS;
    private int dictionarySize;

    /** Starts with booleans of one bit. */
    void openBits(byte[] bytes, int from, int end) {
        openBooleans();
        runs.openBits(bytes, from, end);
    }

    /** Starts with booleans in runs, which follow their length. */
    void openRuns(byte[] bytes, int from, int end) {
        openBooleans();
        int length = end - from < Integer.BYTES ? -1 : LittleEndian.intAt(bytes, from);
        if (length < 0 || length > end - from - Integer.BYTES) {
            throw new ParquetDefect("booleans of " + length + " bytes in a page of " + (end - from) + " bytes");
        }
        runs.open(bytes, from + Integer.BYTES, from + Integer.BYTES + length, 1);
    }

    /** Starts with indexes into a dictionary. */
    void openIndexes(byte[] bytes, int from, int end, long[] newDictionary, int size) {
        dictionary = newDictionary;
        dictionarySize = size;
        DictionaryIndexes.open(runs, bytes, from, end);
    }

    private void openBooleans() {
        dictionary = BOOLEANS;
        dictionarySize = BOOLEANS.length;
    }

    @Override
    public void read(long[] into, int count) {
        DictionaryIndexes.read(runs, scratch, count, dictionarySize);
        for (int i = 0; i < count; i++) {
            into[i] = dictionary[scratch[i]];
        }
    }
}
