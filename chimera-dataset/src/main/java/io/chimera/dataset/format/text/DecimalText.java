package io.chimera.dataset.format.text;

import com.fasterxml.jackson.core.io.NumberInput;

/**
 * Reads decimal numbers from bytes. One thread; allocates nothing, except when a text is no number.
 */
final class DecimalText {
    /** Result of {@link #negated} for text that is no number, or outside the range. */
    static final long NO_NUMBER = 1;

    private static final int DOUBLE_CHARS_MAX = 400;

    private final char[] chars = new char[DOUBLE_CHARS_MAX];
    private long longValue;
    private double doubleValue;

    DecimalText() {}

    /**
     * Reads digits without a sign. The result is negative, because a 64-bit integer has one more negative number.
     *
     * @return the number times -1; {@link #NO_NUMBER} without digits, for other bytes, and below -2^63
     */
    static long negated(byte[] bytes, int from, int to) {
        if (from >= to) {
            return NO_NUMBER;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9 || value < (Long.MIN_VALUE + digit) / 10) {
                return NO_NUMBER;
            }
            value = value * 10 - digit;
        }
        return value;
    }

    /** Reads a signed 64-bit integer; false for any other text. */
    boolean readLong(byte[] bytes, int from, int to) {
        boolean isNegative = from < to && bytes[from] == '-';
        boolean isSigned = isNegative || (from < to && bytes[from] == '+');
        long negated = negated(bytes, isSigned ? from + 1 : from, to);
        longValue = isNegative ? negated : -negated;
        return negated != NO_NUMBER && (isNegative || negated != Long.MIN_VALUE);
    }

    long longValue() {
        return longValue;
    }

    /** Reads a decimal number with an optional fraction and exponent; false for any other text, also for NaN. */
    boolean readDouble(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length <= 0 || length > DOUBLE_CHARS_MAX) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            byte b = bytes[from + i];
            if ((b < '0' || b > '9') && b != '.' && b != '-' && b != '+' && b != 'e' && b != 'E') {
                return false;
            }
            chars[i] = (char) b;
        }
        try {
            doubleValue = NumberInput.parseDouble(chars, 0, length, true);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    double doubleValue() {
        return doubleValue;
    }
}
