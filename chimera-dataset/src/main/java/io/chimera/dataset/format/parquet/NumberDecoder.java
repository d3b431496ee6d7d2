package io.chimera.dataset.format.parquet;

/** Decodes the values of a page that are integers in storage. */
interface NumberDecoder {
    /**
     * Decodes the next values that are not null.
     *
     * @param into receives the values as stored: 4 bytes with the sign extended, 8 bytes, 1 or 0, or the nanoseconds of
     *     an INT96
     * @param count number of values
     * @throws ParquetDefect when the page has fewer values, or is damaged
     */
    void read(long[] into, int count);
}
