package io.chimera.queue.parser;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import io.chimera.api.HotPath;

/**
 * Reads a decimal number from text: {@code [-] digits [. digits] [e [+|-] digits]}, with digits before or behind the
 * point. Says where it ends and leaves what follows (a suffix, a separator) to its owner. Numbers that a double holds
 * exactly, or that one exact multiplication or division gives, are made here; JavaDoubleParser makes the others. Not
 * thread-safe; allocates nothing for a number of up to 19 digits.
 */
final class NumberText {
    /** Powers of ten that a double holds exactly. */
    private static final double[] EXACT_POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private static final long EXACT_INTEGER_MAX = 1L << 53;
    private static final int DIGITS_MAX = 19;
    /** Larger exponents give the same zero or infinity. */
    private static final int EXPONENT_MAX = 100_000;

    private static final long[] LONG_POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000};

    private static final long ZEROS = 0x3030303030303030L;
    private static final long TOPS = 0x8080808080808080L;

    /** Added to a byte, it sets the top bit of all that are larger than 9. */
    private static final long ABOVE_NINE = 0x7676767676767676L;

    /** Bytes that {@link #readShort} may look at. */
    static final int SHORT_REACH = 32;

    private static final int NONE = -1;

    private byte[] bytes;
    private int start;
    private int next;
    private boolean negative;
    private boolean integer;
    /** The first 19 significant digits, as an unsigned number. */
    private long mantissa;

    private int significant;
    private int lastDigit;
    /** Power of ten to multiply the mantissa with; only meant when it holds all digits. */
    private int exponent;

    private long shortValue;
    private int shortScale;

    NumberText() {}

    /** Lets go of the array that was read last. */
    void release() {
        bytes = null;
    }

    /**
     * Reads a number of up to 15 digits without an exponent, as nearly all are: eight digits at a time, and what follows
     * them is shifted out, so that nothing depends on how many there are. Only {@link #shortValue} and {@link #shortScale}
     * hold after it.
     *
     * @param from where it begins; {@link #SHORT_REACH} bytes from there are looked at
     * @return index behind the number; -1 for any other text
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
                return NONE; // a zero with a sign
            }
            value = -value;
        }
        shortValue = value;
        shortScale = scale;
        return i;
    }

    /** The digits that {@link #readShort} has read, with their sign. */
    long shortValue() {
        return shortValue;
    }

    /** How many of the digits that {@link #readShort} has read are behind the point; 0 when there is none. */
    int shortScale() {
        return shortScale;
    }

    /** The double nearest to what {@link #readShort} has read. */
    @HotPath
    double shortDouble() {
        // both operands are exact, so IEEE 754 rounds once and gives the nearest double
        return shortScale == 0 ? shortValue : shortValue / EXACT_POWERS[shortScale];
    }

    /**
     * Reads a number.
     *
     * @return false when there is none; {@link #next()} is then where it went wrong
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
     * Reads an integer, and leaves a point or exponent behind it to its owner.
     *
     * @return false when there is none; {@link #next()} is then where it went wrong
     */
    @HotPath
    boolean readInteger(byte[] source, int from, int end) {
        begin(source, from, end);
        return digits(end) > 0;
    }

    private void begin(byte[] source, int from, int end) {
        if (bytes != source) {
            bytes = source; // a reference that is written costs the garbage collector's barrier
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

    /** Takes digits from {@link #next} on; returns how many there were, leading zeros included. */
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

    /** Index behind the number. */
    int next() {
        return next;
    }

    /** Whether it has neither point nor exponent. */
    boolean isInteger() {
        return integer;
    }

    /** Whether it begins with a minus. */
    boolean isNegative() {
        return negative;
    }

    /** Whether it is an integer of 64 bits with sign. */
    @HotPath
    boolean isLong() {
        if (!integer || significant > DIGITS_MAX) {
            return false;
        }
        // as an unsigned number, 19 digits never overflow
        return negative ? Long.compareUnsigned(mantissa, Long.MIN_VALUE) <= 0 : mantissa >= 0;
    }

    /** The value, where {@link #isLong} holds. */
    @HotPath
    long asLong() {
        return negative ? -mantissa : mantissa;
    }

    /** Whether it is an integer of 64 bits without sign. */
    @HotPath
    boolean isUnsigned() {
        if (!integer || negative || significant > DIGITS_MAX + 1) {
            return false;
        }
        // 18446744073709551615 = 1844674407370955161 x 10 + 5
        int compared = Long.compareUnsigned(mantissa, 1844674407370955161L);
        return significant <= DIGITS_MAX || compared < 0 || (compared == 0 && lastDigit <= 5);
    }

    /** The bits of the value, where {@link #isUnsigned} holds. */
    @HotPath
    long asUnsigned() {
        return significant <= DIGITS_MAX ? mantissa : mantissa * 10 + lastDigit;
    }

    /** The nearest double; infinite when it is too large. */
    @HotPath
    double asDouble() {
        if (significant <= DIGITS_MAX && Long.compareUnsigned(mantissa, EXACT_INTEGER_MAX) <= 0) {
            double value = negative ? -(double) mantissa : mantissa;
            if (exponent == 0 || mantissa == 0) {
                return value;
            }
            // both operands are exact, so IEEE 754 rounds once and gives the nearest double
            if (exponent > 0 && exponent < EXACT_POWERS.length) {
                return value * EXACT_POWERS[exponent];
            }
            if (exponent < 0 && -exponent < EXACT_POWERS.length) {
                return value / EXACT_POWERS[-exponent];
            }
        }
        return JavaDoubleParser.parseDouble(bytes, start, next - start);
    }

    /** How many of the eight bytes of a text, each XOR '0', are digits before one that is none. */
    private static int digitCount(long word) {
        return Long.numberOfTrailingZeros(((word + ABOVE_NINE) | word) & TOPS) >>> 3;
    }

    /** The number that the first one to eight bytes, each XOR '0', spell: pairs, then fours, then all. */
    private static long number(long word, int digits) {
        long eight = word << (Long.SIZE - Byte.SIZE * digits); // zeros in front
        long pairs = eight * 10 + (eight >>> 8);
        return (((pairs & 0x000000FF000000FFL) * 0x000F424000000064L)
                        + (((pairs >>> 16) & 0x000000FF000000FFL) * 0x0000271000000001L))
                >>> 32;
    }
}
