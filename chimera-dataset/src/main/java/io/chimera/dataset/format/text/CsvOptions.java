package io.chimera.dataset.format.text;

/**
 * Dialect of CSV (RFC 4180). A quote within a quoted value is written twice. A quote in the middle of a value that does
 * not begin with a quote is part of the value.
 *
 * @param separator ASCII character between values
 * @param quote ASCII character around values that contain a separator or a quote
 * @param hasHeader whether the first line of each object names the columns; without a header the mapping refers to
 *     columns by their numbers, from 1
 */
public record CsvOptions(char separator, char quote, boolean hasHeader) {
    /** Commas, double quotes, and a header. */
    public static final CsvOptions DEFAULT = new CsvOptions(',', '"', true);

    /**
     * Checks the characters.
     *
     * @param separator any ASCII character except quote and line end
     * @param quote any ASCII character except line end
     * @param hasHeader whether the first line names the columns
     */
    public CsvOptions {
        if (separator == quote || !isAllowed(separator) || !isAllowed(quote)) {
            throw new IllegalArgumentException("separator U+%04X and quote U+%04X; expected two ASCII characters"
                    .formatted((int) separator, (int) quote));
        }
    }

    private static boolean isAllowed(char c) {
        return c > 0 && c < 0x80 && c != '\n' && c != '\r';
    }
}
