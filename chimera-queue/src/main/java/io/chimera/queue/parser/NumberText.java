package io.chimera.queue.parser;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import io.chimera.api.HotPath;

/**
 * Parses a decimal number: {@code [-] digits [. digits] [e [+|-] digits]}, with digits before or after the decimal
 * point. Reports the end of the number; the caller handles a suffix or separator. Numbers exactly representable as a
 * double, or computable by one exact multiplication or division, are converted here; JavaDoubleParser converts all
 * other numbers. Not thread-safe; allocates nothing for numbers of up to 19 digits.
 */
final class NumberText {
    /** Powers of ten with an exact double representation. */
    private static final double[] EXACT_POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private static final long EXACT_INTEGER_MAX = 1L << 53;
    private static final int DIGITS_MAX = 19;
    /** Limit of the exponent; larger exponents also yield zero or infinity. */
    private static final int EXPONENT_MAX = 100_000;

    private static final long[] LONG_POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000};

    private static final long ZEROS = 0x3030303030303030L;
    private static final long TOPS = 0x8080808080808080L;

    /** Added to a byte, sets the top bit for values above 9. */
    private static final long ABOVE_NINE = 0x7676767676767676L;

    /** Maximum number of bytes read by {@link #readShort}. */
    static final int SHORT_REACH = 32;

    private static final int NONE = -1;

    private byte[] bytes;
    private int start;
    private int next;
    private boolean negative;
    private boolean integer;
    /** First 19 significant digits, as an unsigned number. */
    private long mantissa;

    private int significant;
    private int lastDigit;
    /** Power of ten of the mantissa; only valid when the mantissa holds all digits. */
    private int exponent;

    private long shortValue;
    private int shortScale;

    NumberText() {}

    /** Releases the source array. */
    void release() {
        bytes = null;
    }

    /**
     * Reads a number of up to 15 digits without exponent, the most frequent form. Reads eight digits at a time and
     * shifts out the following bytes, so that no branch depends on the number of digits. Afterwards only {@link
     * #shortValue} and {@link #shortScale} are valid.
     *
     * @param from first byte of the number; {@link #SHORT_REACH} bytes from this index must be readable
     * @return index after the number; -1 for any other text
     */
    @HotPath
    int readShort(byte[] source, int from) {
        boolean minus = source[from] == '-';
        int i = minus ? from + 1 : from;
        long word = (long) ByteScan.LONGS.get(source, i) ^ ZEROS;
        int digits = digitCount(word);
        if (digits == 0) {
            return NONE;
        }
        long value = number(word, digits);
        i += digits;
        int scale = 0;
        if (digits == Long.BYTES) {
            word = (long) ByteScan.LONGS.get(source, i) ^ ZEROS;
            digits = digitCount(word);
            if (digits == Long.BYTES || source[i + digits] == '.') {
                return NONE;
            }
            value = digits == 0 ? value : value * LONG_POWERS[digits] + number(word, digits);
            i += digits;
        } else if (source[i] == '.') {
            word = (long) ByteScan.LONGS.get(source, i + 1) ^ ZEROS;
            scale = digitCount(word);
            if (scale == 0 || scale == Long.BYTES) {
                return NONE;
            }
            value = value * LONG_POWERS[scale] + number(word, scale);
            i += 1 + scale;
        }
        if (minus) {
            if (value == 0) {
                return NONE; // negative zero
            }
            value = -value;
        }
        shortValue = value;
        shortScale = scale;
        return i;
    }

    /** Digits read by {@link #readShort}, with sign. */
    long shortValue() {
        return shortValue;
    }

    /** Number of digits after the decimal point read by {@link #readShort}; 0 without a decimal point. */
    int shortScale() {
        return shortScale;
    }

    /** Nearest double to the number read by {@link #readShort}. */
    @HotPath
    double shortDouble() {
        // both operands are exact, so IEEE 754 rounds once and the result is the nearest double
        return shortScale == 0 ? shortValue : shortValue / EXACT_POWERS[shortScale];
    }

    /**
     * Reads a number.
     *
     * @return false without a number; then {@link #next()} is the position of the error
     */
    @HotPath
    boolean read(byte[] source, int from, int end) {
        begin(source, from, end);
        int digits = digits(end);
        if (next < end && source[next] == '.') {
            integer = false;
            next++;
            int fraction = digits(end);
            digits += fraction;
            exponent = -fraction;
        }
        if (digits == 0) {
            return false;
        }
        return next >= end || (source[next] | 0x20) != 'e' || readExponent(end);
    }

    /**
     * Reads a number that may have a plus sign; otherwise like {@link #read}.
     *
     * @return false without a number; then {@link #next()} is the position of the error
     */
    @HotPath
    boolean readSigned(byte[] source, int from, int end) {
        boolean plus = from + 1 < end && source[from] == '+' && source[from + 1] != '-';
        return read(source, plus ? from + 1 : from, end);
    }

    /**
     * Reads an integer; a following decimal point or exponent is left to the caller.
     *
     * @return false without an integer; then {@link #next()} is the position of the error
     */
    @HotPath
    boolean readInteger(byte[] source, int from, int end) {
        begin(source, from, end);
        return digits(end) > 0;
    }

    private void begin(byte[] source, int from, int end) {
        if (bytes != source) {
            bytes = source; // conditional, because writing a reference costs a GC barrier
        }
        start = from;
        next = from;
        mantissa = 0;
        significant = 0;
        exponent = 0;
        integer = true;
        negative = from < end && source[from] == '-';
        if (negative) {
            next++;
        }
    }

    /** Reads digits from {@link #next} on; returns their number, including leading zeros. */
    private int digits(int end) {
        int i = next;
        long value = mantissa;
        int taken = significant;
        while (i <= end - Long.BYTES && (value != 0 || bytes[i] != '0')) {
            long word = (long) ByteScan.LONGS.get(bytes, i) ^ ZEROS;
            int digits = digitCount(word);
            if (digits == 0 || taken + digits > DIGITS_MAX) {
                break;
            }
            value = value * LONG_POWERS[digits] + number(word, digits);
            taken += digits;
            i += digits;
        }
        for (; i < end; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            if (taken < DIGITS_MAX) {
                value = value * 10 + digit;
            } else {
                lastDigit = digit;
            }
            if (value != 0) {
                taken++;
            }
        }
        int count = i - next;
        next = i;
        mantissa = value;
        significant = taken;
        return count;
    }

    private boolean readExponent(int end) {
        integer = false;
        next++;
        boolean down = false;
        if (next < end && (bytes[next] == '-' || bytes[next] == '+')) {
            down = bytes[next] == '-';
            next++;
        }
        int from = next;
        int value = 0;
        for (; next < end; next++) {
            int digit = bytes[next] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            value = Math.min(value * 10 + digit, EXPONENT_MAX);
        }
        exponent += down ? -value : value;
        return next > from;
    }

    /** Index after the number. */
    int next() {
        return next;
    }

    /** Whether the number has neither decimal point nor exponent. */
    boolean isInteger() {
        return integer;
    }

    /** Whether the number has a minus sign. */
    boolean isNegative() {
        return negative;
    }

    /** Whether the number fits into a signed 64-bit integer. */
    @HotPath
    boolean isLong() {
        if (!integer || significant > DIGITS_MAX) {
            return false;
        }
        // 19 digits never overflow an unsigned long
        return negative ? Long.compareUnsigned(mantissa, Long.MIN_VALUE) <= 0 : mantissa >= 0;
    }

    /** Value of the number; requires {@link #isLong}. */
    @HotPath
    long asLong() {
        return negative ? -mantissa : mantissa;
    }

    /** Whether the number fits into an unsigned 64-bit integer. */
    @HotPath
    boolean isUnsigned() {
        if (!integer || negative || significant > DIGITS_MAX + 1) {
            return false;
        }
        // 18446744073709551615 = 1844674407370955161 x 10 + 5
        int compared = Long.compareUnsigned(mantissa, 1844674407370955161L);
        return significant <= DIGITS_MAX || compared < 0 || (compared == 0 && lastDigit <= 5);
    }

    /** Bits of the unsigned value; requires {@link #isUnsigned}. */
    @HotPath
    long asUnsigned() {
        return significant <= DIGITS_MAX ? mantissa : mantissa * 10 + lastDigit;
    }

    /** Nearest double; infinite on overflow. */
    @HotPath
    double asDouble() {
        if (significant <= DIGITS_MAX && Long.compareUnsigned(mantissa, EXACT_INTEGER_MAX) <= 0) {
            double value = negative ? -(double) mantissa : mantissa;
            if (exponent == 0 || mantissa == 0) {
                return value;
            }
            // both operands are exact, so IEEE 754 rounds once and the result is the nearest double
            if (exponent > 0 && exponent < EXACT_POWERS.length) {
                return value * EXACT_POWERS[exponent];
            }
            if (exponent < 0 && -exponent < EXACT_POWERS.length) {
                return value / EXACT_POWERS[-exponent];
            }
        }
        return JavaDoubleParser.parseDouble(bytes, start, next - start);
    }

    /** Counts the leading digits among eight bytes of text, each XOR '0'. */
    private static int digitCount(long word) {
        return Long.numberOfTrailingZeros(((word + ABOVE_NINE) | word) & TOPS) >>> 3;
    }

    /** Converts the first one to eight digits, each XOR '0': combines pairs, then fours, then all eight. */
    private static long number(long word, int digits) {
        long eight = word << (Long.SIZE - Byte.SIZE * digits); // leading zeros
        long pairs = eight * 10 + (eight >>> 8);
        return (((pairs & 0x000000FF000000FFL) * 0x000F424000000064L)
                        + (((pairs >>> 16) & 0x000000FF000000FFL) * 0x0000271000000001L))
                >>> 32;
    }
}
