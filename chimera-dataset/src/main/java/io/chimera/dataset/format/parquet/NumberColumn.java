package io.chimera.dataset.format.parquet;

import java.io.IOException;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;

/** A column of numbers or booleans. One thread. */
final class NumberColumn implements ColumnBatch, PageTarget {
    private final LeafColumn column;
    private final Conversion conversion;
    private final MemoryBudget budget;
    private final ColumnPages pages;
    private final int width;
    private final PlainNumbers plain;
    private final SplitNumbers split;
    private final DeltaDecoder delta = new DeltaDecoder();
    private final RunNumbers runs = new RunNumbers();
    private NumberDecoder decoder;
    private long[] dictionary = new long[0];
    private int dictionarySize;

    private final long[] values = new long[ParquetReader.BATCH_ROWS];
    private final byte[] states = new byte[ParquetReader.BATCH_ROWS];

    /**
     * Creates the reader of a column.
     *
     * @param column column with a type other than byte arrays
     * @param conversion conversion of the values
     */
    NumberColumn(ReaderResources resources, LeafColumn column, Conversion conversion) {
        this.column = column;
        this.conversion = conversion;
        this.budget = resources.budget();
        this.pages = new ColumnPages(resources, column, this);
        this.width = switch (column.type()) {
            case INT32, FLOAT -> Integer.BYTES;
            case INT64, DOUBLE -> Long.BYTES;
            case INT96 -> PlainNumbers.INT96_BYTES;
            case BOOLEAN -> 0;
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY ->
                throw new IllegalArgumentException("column " + column.path() + " has no numbers");
        };
        this.plain = new PlainNumbers(width);
        this.split = new SplitNumbers(width);
        this.decoder = plain;
    }

    @Override
    public void open(ChunkPlace chunk, long rows) throws IOException {
        dictionarySize = 0;
        pages.open(chunk, rows);
    }

    @Override
    public int rowsAhead() throws IOException {
        return pages.rowsAhead();
    }

    @Override
    public void read(int count) {
        int present = pages.readLevels(states, count);
        decoder.read(values, present);
        if (decoder == delta && column.type() == Type.INT32) {
            // The differences of 32-bit integers wrap around at 32 bits.
            for (int i = 0; i < present; i++) {
                values[i] = (int) values[i];
            }
        }
        if (present < count) {
            int from = present;
            for (int i = count - 1; i >= 0; i--) {
                if (states[i] == Conversion.PRESENT) {
                    values[i] = values[--from];
                }
            }
        }
        conversion.apply(values, states, count);
    }

    @Override
    public void dictionary(byte[] bytes, int from, int end, int count) {
        if (width == 0 || count < 0 || count > (end - from) / width) {
            throw new ParquetDefect("a dictionary of " + count + " values in " + (end - from) + " bytes");
        }
        dictionary = budget.longs(dictionary, count);
        plain.open(bytes, from, end);
        plain.read(dictionary, count);
        dictionarySize = count;
    }

    @Override
    public void page(Encoding encoding, byte[] bytes, int from, int end) {
        boolean isInteger = column.type() == Type.INT32 || column.type() == Type.INT64;
        if (encoding == Encoding.PLAIN && width == 0) {
            runs.openBits(bytes, from, end);
            decoder = runs;
        } else if (encoding == Encoding.PLAIN) {
            plain.open(bytes, from, end);
            decoder = plain;
        } else if (width > 0 && (encoding == Encoding.RLE_DICTIONARY || encoding == Encoding.PLAIN_DICTIONARY)) {
            runs.openIndexes(bytes, from, end, dictionary, dictionarySize);
            decoder = runs;
        } else if (encoding == Encoding.RLE && width == 0) {
            runs.openRuns(bytes, from, end);
            decoder = runs;
        } else if (encoding == Encoding.DELTA_BINARY_PACKED && isInteger) {
            delta.open(bytes, from, end);
            decoder = delta;
        } else if (encoding == Encoding.BYTE_STREAM_SPLIT && (width == Integer.BYTES || width == Long.BYTES)) {
            split.open(bytes, from, end);
            decoder = split;
        } else {
            throw new ParquetDefect("values of type " + column.type() + " with the encoding " + encoding);
        }
    }

    /** Returns {@link Conversion#NULL}, {@link Conversion#PRESENT} or {@link Conversion#BAD}. */
    byte stateAt(int row) {
        return states[row];
    }

    /** Returns the converted value; undefined unless present. */
    long valueAt(int row) {
        return values[row];
    }

    @Override
    public String place() {
        return "column " + column.path() + ", page at offset " + pages.pageOffset();
    }
}
