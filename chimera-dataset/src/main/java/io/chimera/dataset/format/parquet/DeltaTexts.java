package io.chimera.dataset.format.parquet;

/**
 * Decodes DELTA_BYTE_ARRAY: each text begins with a part of the text before. The texts of a batch are put together in a
 * buffer of this decoder. One thread.
 */
final class DeltaTexts implements TextDecoder {
    private final MemoryBudget budget;
    private final DeltaDecoder prefixes = new DeltaDecoder();
    private final DeltaLengthTexts suffixes;
    private final long[] prefixLengths = new long[ParquetReader.BATCH_ROWS];
    private byte[] texts = new byte[0];
    private byte[] last = new byte[0];
    private int lastLength;

    DeltaTexts(MemoryBudget budget) {
        this.budget = budget;
        this.suffixes = new DeltaLengthTexts();
    }

    void open(byte[] bytes, int from, int end) {
        prefixes.open(bytes, from, end);
        int suffixesFrom = prefixes.skipAll();
        prefixes.open(bytes, from, end);
        suffixes.open(bytes, suffixesFrom, end);
        lastLength = 0;
    }

    @Override
    public byte[] read(int[] offsets, int[] lengths, int count) {
        if (count == 0) {
            return texts;
        }
        prefixes.read(prefixLengths, count);
        byte[] parts = suffixes.readParts(offsets, lengths, count);
        texts = budget.bytes(texts, lengthOf(lengths, count));
        int at = 0;
        int before = 0;
        byte[] beforeBytes = last;
        for (int i = 0; i < count; i++) {
            int prefix = (int) prefixLengths[i];
            int suffix = lengths[i];
            System.arraycopy(beforeBytes, before, texts, at, prefix);
            System.arraycopy(parts, offsets[i], texts, at + prefix, suffix);
            offsets[i] = at;
            lengths[i] = TextDecoder.checkedLength(texts, at, prefix + suffix);
            beforeBytes = texts;
            before = at;
            lastLength = prefix + suffix;
            at += lastLength;
        }
        last = budget.bytes(last, lastLength);
        System.arraycopy(texts, before, last, 0, lastLength);
        return texts;
    }

    /** Checks the prefixes, and returns the length of all texts of the batch. */
    private long lengthOf(int[] suffixLengths, int count) {
        long length = 0;
        long before = lastLength;
        for (int i = 0; i < count; i++) {
            long prefix = prefixLengths[i];
            if (prefix < 0 || prefix > before) {
                throw new ParquetDefect("a text begins with " + prefix + " bytes of a text of " + before + " bytes");
            }
            before = prefix + suffixLengths[i];
            length += before;
        }
        return length;
    }
}
