package io.chimera.dataset.format.parquet;

import org.apache.parquet.format.Encoding;

/** Receives the pages of a column chunk. The bytes have {@link LittleEndian#SLACK} after their end. */
interface PageTarget {
    /**
     * Receives the dictionary of the chunk; the bytes are valid during the call.
     *
     * @param from index of the first byte
     * @param end index after the last byte
     * @param count declared number of values
     */
    void dictionary(byte[] bytes, int from, int end, int count);

    /**
     * Receives the values of a page, which are valid until the next page.
     *
     * @param encoding encoding of the values
     * @param from index of the first byte of the values
     * @param end index after the last byte
     */
    void page(Encoding encoding, byte[] bytes, int from, int end);
}
