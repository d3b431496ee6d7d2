package io.chimera.dataset.source.http;

import java.util.Optional;

/**
 * Value of the header {@code Content-Range}: {@code bytes 0-499/1234}, {@code bytes 0-499/*} or {@code bytes *}{@code
 * /1234}.
 *
 * @param first offset of the first byte; -1 in the answer to a range that the server refused
 * @param last offset of the last byte; -1 in the answer to a range that the server refused
 * @param total length of the object; -1 when the server does not know the length
 */
public record ContentRange(long first, long last, long total) {
    private static final int LENGTH_MAX = 100;
    private static final String UNIT = "bytes ";

    /** Returns the range; empty when the text is not one of the three forms, or the numbers contradict each other. */
    public static Optional<ContentRange> parse(String text) {
        String value = text.strip();
        int slash = value.indexOf('/');
        if (value.length() > LENGTH_MAX || !value.regionMatches(true, 0, UNIT, 0, UNIT.length()) || slash < 0) {
            return Optional.empty();
        }
        String range = value.substring(UNIT.length(), slash).strip();
        String length = value.substring(slash + 1).strip();
        boolean hasTotal = !length.equals("*");
        long total = hasTotal ? DecimalDigits.parse(length) : -1;
        if (hasTotal && total < 0) {
            return Optional.empty();
        }
        if (range.equals("*")) {
            return hasTotal ? Optional.of(new ContentRange(-1, -1, total)) : Optional.empty();
        }
        int dash = range.indexOf('-');
        long first = dash < 0 ? -1 : DecimalDigits.parse(range.substring(0, dash));
        long last = dash < 0 ? -1 : DecimalDigits.parse(range.substring(dash + 1));
        if (first < 0 || last < first || (hasTotal && last >= total)) {
            return Optional.empty();
        }
        return Optional.of(new ContentRange(first, last, total));
    }
}
