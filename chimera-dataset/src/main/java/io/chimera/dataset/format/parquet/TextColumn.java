package io.chimera.dataset.format.parquet;

import java.io.IOException;
import org.apache.parquet.format.Encoding;

/** A column of texts. The texts lie in an array as UTF-8, without an object per text. One thread. */
final class TextColumn implements ColumnBatch, PageTarget {
    private final LeafColumn column;
    private final ColumnPages pages;
    private final PlainTexts plain;
    private final DictionaryTexts dictionary;
    private final DeltaLengthTexts deltaLengths;
    private final DeltaTexts deltas;
    private TextDecoder decoder;

    private byte[] bytes = new byte[0];
    private final int[] offsets = new int[ParquetReader.BATCH_ROWS];
    private final int[] lengths = new int[ParquetReader.BATCH_ROWS];
    private final byte[] states = new byte[ParquetReader.BATCH_ROWS];

    /**
     * Creates the reader of a column.
     *
     * @param column column of byte arrays
     */
    TextColumn(ReaderResources resources, LeafColumn column) {
        this.column = column;
        this.plain = new PlainTexts();
        this.dictionary = new DictionaryTexts(resources.budget());
        this.deltaLengths = new DeltaLengthTexts();
        this.deltas = new DeltaTexts(resources.budget());
        this.decoder = plain;
        this.pages = new ColumnPages(resources, column, this);
    }

    @Override
    public void open(ChunkPlace chunk, long rows) throws IOException {
        dictionary.reset();
        pages.open(chunk, rows);
    }

    @Override
    public int rowsAhead() throws IOException {
        return pages.rowsAhead();
    }

    @Override
    public void read(int count) {
        int present = pages.readLevels(states, count);
        bytes = decoder.read(offsets, lengths, present);
        if (present < count) {
            int from = present;
            for (int i = count - 1; i >= 0; i--) {
                if (states[i] == Conversion.PRESENT) {
                    from--;
                    offsets[i] = offsets[from];
                    lengths[i] = lengths[from];
                }
            }
        }
        for (int i = 0; i < count; i++) {
            if (states[i] == Conversion.NULL) {
                lengths[i] = 0;
            } else if (lengths[i] == TextDecoder.INVALID) {
                lengths[i] = 0;
                states[i] = Conversion.BAD;
            }
        }
    }

    @Override
    public void dictionary(byte[] page, int from, int end, int count) {
        dictionary.openDictionary(page, from, end, count);
    }

    @Override
    public void page(Encoding encoding, byte[] page, int from, int end) {
        switch (encoding) {
            case PLAIN -> {
                plain.open(page, from, end);
                decoder = plain;
            }
            case RLE_DICTIONARY, PLAIN_DICTIONARY -> {
                dictionary.open(page, from, end);
                decoder = dictionary;
            }
            case DELTA_LENGTH_BYTE_ARRAY -> {
                deltaLengths.open(page, from, end);
                decoder = deltaLengths;
            }
            case DELTA_BYTE_ARRAY -> {
                deltas.open(page, from, end);
                decoder = deltas;
            }
            case RLE, BIT_PACKED, DELTA_BINARY_PACKED, BYTE_STREAM_SPLIT ->
                throw new ParquetDefect("texts with the encoding " + encoding);
        }
    }

    /** Returns {@link Conversion#NULL}, {@link Conversion#PRESENT}, or {@link Conversion#BAD} for invalid UTF-8. */
    byte stateAt(int row) {
        return states[row];
    }

    /** Returns the array with all texts of the batch. */
    byte[] bytes() {
        return bytes;
    }

    int offsetAt(int row) {
        return offsets[row];
    }

    /** Returns the length in bytes; 0 unless present. */
    int lengthAt(int row) {
        return lengths[row];
    }

    @Override
    public String place() {
        return "column " + column.path() + ", page at offset " + pages.pageOffset();
    }
}
