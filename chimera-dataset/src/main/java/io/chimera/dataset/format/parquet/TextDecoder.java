package io.chimera.dataset.format.parquet;

import io.chimera.common.wire.Utf8;

/** Decodes the texts of a page. */
interface TextDecoder {
    /** Length of a text that is not valid UTF-8. */
    int INVALID = -1;

    /**
     * Decodes the next texts that are not null.
     *
     * @param offsets receives the index of the first byte of each text
     * @param lengths receives the bytes of each text, or {@link #INVALID}
     * @param count number of texts
     * @return array with all these texts, valid until the next call
     * @throws ParquetDefect when the page has fewer texts, or is damaged
     */
    byte[] read(int[] offsets, int[] lengths, int count);

    /** Returns the length of a text, or {@link #INVALID} for a text that is not valid UTF-8. */
    static int checkedLength(byte[] bytes, int from, int length) {
        return Utf8.isValid(bytes, from, from + length) ? length : INVALID;
    }
}
