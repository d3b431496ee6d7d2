package io.chimera.dataset.format.text;

import io.chimera.api.spi.Parser;

/** Creates the parser of a split. Any thread. */
interface LineParsers {
    /** Header of an object without a header. */
    byte[] NO_HEADER = {};

    /**
     * Creates a parser.
     *
     * @param header first line of the object without its line end
     * @throws IllegalArgumentException when the header does not fit the mapping
     */
    Parser create(byte[] header);
}
