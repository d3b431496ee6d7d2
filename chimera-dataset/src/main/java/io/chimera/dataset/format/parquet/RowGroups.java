package io.chimera.dataset.format.parquet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.jspecify.annotations.Nullable;

/** Collects and checks the places of the row groups, whose chunks arrive one after the other. One thread. */
final class RowGroups {
    private static final int MAGIC_BYTES = 4;

    /** Rows that a row group, and an object, may have in any case; more than most row groups have. */
    private static final long ROWS_FREE = 1L << 20;

    /** Maximum number of rows per byte as stored: one byte of a run says nothing about many more rows. */
    private static final long ROWS_PER_BYTE_MAX = 4096;

    private final SchemaColumns schema;
    private final long footerStart;
    private final List<RowGroupPlace> places = new ArrayList<>();
    private int number = -1;
    private long firstRow;

    /** The columns of the schema, by their index; filled with the first row group. */
    private int[] mapped = new int[0];

    private List<LeafColumn> columns = List.of();

    /** The row group that arrives. */
    private @Nullable ChunkPlace[] chunks = new ChunkPlace[0];

    private int chunkCount;
    private long start;
    private long rows;

    RowGroups(SchemaColumns schema, long footerStart) {
        this.schema = schema;
        this.footerStart = footerStart;
    }

    void begin() {
        if (number < 0) {
            columns = schema.columns();
            mapped = new int[schema.leaves()];
            Arrays.setAll(mapped, schema::mappedIndex);
        }
        number++;
        chunks = new ChunkPlace[columns.size()];
        chunkCount = 0;
        start = Long.MAX_VALUE;
        rows = -1;
    }

    void rows(long newRows) {
        rows = newRows;
    }

    void chunk(ColumnChunk chunk) {
        if (chunkCount == mapped.length) {
            throw inGroup("more column chunks than the " + mapped.length + " columns of the schema");
        }
        int index = mapped[chunkCount++];
        ColumnMetaData data = chunk.getMeta_data();
        if (index >= 0 && (chunk.isSetCrypto_metadata() || data == null)) {
            throw FooterReader.encrypted("column " + columns.get(index).path());
        }
        if (data == null) {
            return;
        }
        long offset = data.getData_page_offset();
        if (data.isSetDictionary_page_offset()
                && data.getDictionary_page_offset() > 0
                && data.getDictionary_page_offset() < offset) {
            offset = data.getDictionary_page_offset();
        }
        start = Math.min(start, offset);
        if (index >= 0) {
            chunks[index] = checked(columns.get(index), chunk, data, offset);
        }
    }

    private ChunkPlace checked(LeafColumn column, ColumnChunk chunk, ColumnMetaData data, long offset) {
        if (chunk.isSetFile_path()) {
            throw inGroup("column " + column.path() + " is in another object, " + chunk.getFile_path());
        }
        if (data.getType() != column.type()) {
            throw inGroup(
                    "column " + column.path() + " has the type " + data.getType() + ", in the schema " + column.type());
        }
        CompressionCodec codec = data.getCodec();
        if (codec == null || !PageCodec.isReadable(codec)) {
            throw new ParquetDefect(
                    "column " + column.path() + " is compressed with " + (codec == null ? "an unknown codec" : codec),
                    "write the object with the codec zstd, snappy, gzip, lz4_raw or uncompressed");
        }
        return new ChunkPlace(offset, data.getTotal_compressed_size(), codec);
    }

    void end() {
        if (chunkCount != mapped.length || rows < 0 || rows > Long.MAX_VALUE - firstRow) {
            throw inGroup(chunkCount + " column chunks and " + rows + " rows, expected " + mapped.length
                    + " chunks and at least 0 rows");
        }
        if (rows == 0) {
            return;
        }
        List<ChunkPlace> mappedChunks = new ArrayList<>();
        for (int i = 0; i < chunks.length; i++) {
            ChunkPlace chunk = chunks[i];
            if (chunk == null) {
                throw inGroup("no chunk of column " + columns.get(i).path());
            }
            if (chunk.offset() < MAGIC_BYTES || chunk.length() <= 0 || chunk.length() > footerStart - chunk.offset()) {
                throw inGroup("column " + columns.get(i).path() + " has " + chunk.length() + " bytes at offset "
                        + chunk.offset() + ", the footer begins at offset " + footerStart);
            }
            mappedChunks.add(chunk);
        }
        long bytes = mappedChunks.stream().mapToLong(ChunkPlace::length).sum();
        requireBytes(rows, Math.min(bytes, footerStart), "the row group has");
        requireBytes(firstRow + rows, footerStart, "the object has up to here"); // chunks may overlap
        long before = places.isEmpty() ? 0 : places.get(places.size() - 1).start();
        if (start <= before) {
            throw inGroup("the first page has the offset " + start + ", in the row group before " + before);
        }
        places.add(new RowGroupPlace(number, start, firstRow, rows, mappedChunks));
        firstRow += rows;
    }

    /** Refuses far more rows than bytes: a small object must not keep a worker busy for days. */
    private void requireBytes(long count, long bytes, String subject) {
        if (count > ROWS_FREE && count / ROWS_PER_BYTE_MAX > bytes) {
            throw new ParquetDefect(
                    "row group " + number + ": " + subject + " " + count + " rows in " + bytes + " bytes, more than "
                            + ROWS_PER_BYTE_MAX + " rows per byte, as no data set has",
                    "write the object again");
        }
    }

    List<RowGroupPlace> places() {
        return places;
    }

    private ParquetDefect inGroup(String defect) {
        return new ParquetDefect("row group " + number + ": " + defect);
    }
}
