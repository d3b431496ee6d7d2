package io.chimera.dataset.source.http;

/** Numbers in headers: decimal digits without a sign. */
public final class DecimalDigits {
    /** Every number of this many digits fits into a long. */
    private static final int DIGITS_MAX = 18;

    private DecimalDigits() {}

    /** Returns the number; -1 when the text is not 1 to 18 decimal digits of ASCII. */
    public static long parse(String text) {
        if (text.isEmpty() || text.length() > DIGITS_MAX || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        return Long.parseLong(text);
    }
}
