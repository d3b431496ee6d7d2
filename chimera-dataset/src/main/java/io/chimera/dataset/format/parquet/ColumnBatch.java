package io.chimera.dataset.format.parquet;

import java.io.IOException;

/** Values of one column for the next rows. One thread. */
interface ColumnBatch {
    /** Opens the chunk of a row group, and reads its first bytes. */
    void open(ChunkPlace chunk, long rows) throws IOException;

    /** Returns the number of rows that {@link #read} can read at once; at least 1. */
    int rowsAhead() throws IOException;

    /**
     * Replaces the values with the values of the next rows.
     *
     * @param count number of rows, at most {@link #rowsAhead} and {@link ParquetReader#BATCH_ROWS}
     */
    void read(int count);

    /** Returns column and page, for messages. */
    String place();
}
