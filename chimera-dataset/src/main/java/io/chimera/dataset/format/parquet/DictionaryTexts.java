package io.chimera.dataset.format.parquet;

/** Decodes indexes into a dictionary of texts. The dictionary is checked once per column chunk. One thread. */
final class DictionaryTexts implements TextDecoder {
    private final MemoryBudget budget;
    private final PlainTexts plain;
    private final HybridDecoder runs = new HybridDecoder();
    private final int[] indexes = new int[ParquetReader.BATCH_ROWS];
    private byte[] dictionary = new byte[0];
    private int[] dictionaryOffsets = new int[0];
    private int[] dictionaryLengths = new int[0];
    private int size;

    DictionaryTexts(MemoryBudget budget) {
        this.budget = budget;
        this.plain = new PlainTexts();
    }

    /** Keeps a copy of the dictionary of a column chunk. */
    void openDictionary(byte[] bytes, int from, int end, int count) {
        if (count < 0 || count > (end - from) / Integer.BYTES) {
            throw new ParquetDefect("a dictionary of " + count + " texts in " + (end - from) + " bytes");
        }
        dictionary = budget.bytes(dictionary, (long) end - from);
        System.arraycopy(bytes, from, dictionary, 0, end - from);
        dictionaryOffsets = budget.ints(dictionaryOffsets, count);
        dictionaryLengths = budget.ints(dictionaryLengths, count);
        plain.open(dictionary, 0, end - from);
        plain.read(dictionaryOffsets, dictionaryLengths, count);
        size = count;
    }

    /** Forgets the dictionary, before another column chunk. */
    void reset() {
        size = 0;
    }

    void open(byte[] bytes, int from, int end) {
        DictionaryIndexes.open(runs, bytes, from, end);
    }

    @Override
    public byte[] read(int[] offsets, int[] lengths, int count) {
        DictionaryIndexes.read(runs, indexes, count, size);
        for (int i = 0; i < count; i++) {
            offsets[i] = dictionaryOffsets[indexes[i]];
            lengths[i] = dictionaryLengths[indexes[i]];
        }
        return dictionary;
    }
}
