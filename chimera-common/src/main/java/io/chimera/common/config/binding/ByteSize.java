package io.chimera.common.config.binding;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Number of bytes, written as {@code 64MiB}.
 *
 * @param bytes not negative
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
    private static final Pattern FORM = Pattern.compile("(\\d[\\d_]{0,18})\\s?(B|KiB|MiB|GiB|TiB)?");

    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    /** Checks the sign. */
    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("A size must not be negative.");
        }
    }

    /** Creates a size in MiB. */
    public static ByteSize ofMebibytes(long mebibytes) {
        return new ByteSize(mebibytes << 20);
    }

    /** Creates a size in GiB. */
    public static ByteSize ofGibibytes(long gibibytes) {
        return new ByteSize(gibibytes << 30);
    }

    /**
     * Parses a size: an integer and B, KiB, MiB, GiB or TiB; without a unit the integer is in bytes.
     *
     * @throws IllegalArgumentException for another format, or a size above the range of a long
     */
    public static ByteSize parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no size");
        }
        long amount = Long.parseLong(matcher.group(1).replace("_", ""));
        long factor = factorOf(matcher.group(2));
        if (amount > Long.MAX_VALUE / factor) {
            throw new IllegalArgumentException("no size");
        }
        return new ByteSize(amount * factor);
    }

    private static long factorOf(String unit) {
        long factor = 1;
        for (String known : UNITS) {
            if (unit == null || known.equals(unit)) {
                return factor;
            }
            factor <<= 10;
        }
        return factor;
    }

    /** Returns the size as an int for arrays; at most {@link Integer#MAX_VALUE}. */
    public int intBytes() {
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }

    /** Formats the size in the shortest exact form, e.g. {@code 64MiB}. */
    @Override
    public String toString() {
        long amount = bytes;
        int unit = 0;
        while (amount != 0 && (amount & 1023) == 0 && unit < UNITS.length - 1) {
            amount >>= 10;
            unit++;
        }
        return amount + UNITS[unit];
    }
}
