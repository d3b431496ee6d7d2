package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Searches for ASCII characters eight bytes at a time (SWAR).
 *
 * <p>Each step maps a long of the text to a long with the top bit set in every matching byte; the number of trailing
 * zeros locates the first match. Subtracting 1 from a byte equal to the searched character (XOR 0), subtracting 33 from
 * a byte below 33, or adding 1 to 127 sets the top bit, which is clear in every ASCII byte. A byte with the top bit
 * already set is not ASCII and is masked out. A byte after a match may be marked wrongly because the match borrows from
 * it, and so may a byte after 0xFF, which never occurs in UTF-8. The first match is always correct.
 */
final class ByteScan {
    /** Access to longs at any index of a byte array, lowest byte first. */
    static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;
    private static final long NEWLINES = '\n' * ONES;
    private static final long COMMAS = ',' * ONES;
    private static final long EQUALS = '=' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;
    private static final long SPACES = ' ' * ONES;
    private static final long QUOTES = '"' * ONES;
    private static final long BEHIND_SPACE = (' ' + 1) * ONES;

    private ByteScan() {}

    /** Returns the index of the first line feed, or {@code end}. */
    @HotPath
    static int newline(byte[] bytes, int from, int end) {
        int found = newlineOrHigh(bytes, from, end);
        return found < 0 ? ~found : found;
    }

    /**
     * Searches for a line feed and for non-ASCII bytes in one pass.
     *
     * @return index of the first line feed, or {@code end}; the complement of this index when a non-ASCII byte occurs
     *     before the line feed or less than eight bytes after it
     */
    @HotPath
    static int newlineOrHigh(byte[] bytes, int from, int end) {
        long all = 0;
        int i = from;
        for (; i <= end - 8; i += 8) {
            long word = (long) LONGS.get(bytes, i);
            long found = ((word ^ NEWLINES) - ONES) & ~word & TOPS;
            all |= word;
            if (found != 0) {
                i += Long.numberOfTrailingZeros(found) >>> 3;
                return (all & TOPS) == 0 ? i : ~i;
            }
        }
        while (i < end && bytes[i] != '\n') {
            all |= bytes[i];
            i++;
        }
        return (all & TOPS) == 0 ? i : ~i;
    }

    /**
     * Returns the index of the first byte that ends a tag name, tag value or field name, or is a backslash; else {@code
     * end}.
     */
    @HotPath
    static int nameEnd(byte[] bytes, int from, int end) {
        int i = from;
        for (; i <= end - 8; i += 8) {
            long word = (long) LONGS.get(bytes, i);
            long found = (common(word) | ((word ^ EQUALS) - ONES)) & ~word & TOPS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < end && bytes[i] != '=' && !isCommon(bytes[i])) {
            i++;
        }
        return i;
    }

    /** Returns the index of the first byte that ends a metric name, or is a backslash; else {@code end}. */
    @HotPath
    static int metricEnd(byte[] bytes, int from, int end) {
        int i = from;
        for (; i <= end - 8; i += 8) {
            long word = (long) LONGS.get(bytes, i);
            long found = common(word) & ~word & TOPS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < end && !isCommon(bytes[i])) {
            i++;
        }
        return i;
    }

    /** Returns the index of the first double quote, backslash or line feed; else {@code end}. */
    @HotPath
    static int quotedEnd(byte[] bytes, int from, int end) {
        int i = from;
        for (; i <= end - 8; i += 8) {
            long word = (long) LONGS.get(bytes, i);
            long found = (((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES) | ((word ^ NEWLINES) - ONES))
                    & ~word
                    & TOPS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < end && bytes[i] != '"' && bytes[i] != '\\' && bytes[i] != '\n') {
            i++;
        }
        return i;
    }

    @HotPath
    static boolean isAscii(byte[] bytes, int from, int to) {
        long all = 0;
        int i = from;
        for (; i <= to - 8; i += 8) {
            all |= (long) LONGS.get(bytes, i);
        }
        for (; i < to; i++) {
            all |= bytes[i];
        }
        return (all & TOPS) == 0;
    }

    /**
     * Returns the index of the first space not preceded by a backslash; -1 without such a space before {@code end} or a
     * line feed.
     */
    @HotPath
    static int space(byte[] bytes, int from, int end) {
        int i = from;
        while (true) {
            i = spaceOrNewline(bytes, i, end);
            if (i >= end || bytes[i] == '\n') {
                return -1;
            }
            if (i == from || bytes[i - 1] != '\\') {
                return i;
            }
            i++;
        }
    }

    private static int spaceOrNewline(byte[] bytes, int from, int end) {
        int i = from;
        for (; i <= end - 8; i += 8) {
            long word = (long) LONGS.get(bytes, i);
            long found = (((word ^ SPACES) - ONES) | ((word ^ NEWLINES) - ONES)) & ~word & TOPS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < end && bytes[i] != ' ' && bytes[i] != '\n') {
            i++;
        }
        return i;
    }

    /** Counts the line feeds of a range. */
    static int newlines(byte[] bytes, int from, int end) {
        int count = 0;
        for (int i = from; i < end; i++) {
            if (bytes[i] == '\n') {
                count++;
            }
        }
        return count;
    }

    /** Marks control characters, space, comma, backslash and DEL. */
    private static long common(long word) {
        return (word - BEHIND_SPACE) | (word + ONES) | ((word ^ COMMAS) - ONES) | ((word ^ BACKSLASHES) - ONES);
    }

    private static boolean isCommon(byte b) {
        return (b >= 0 && b <= ' ') || b == ',' || b == '\\' || b == 0x7F;
    }
}
