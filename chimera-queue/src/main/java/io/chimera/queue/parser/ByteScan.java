package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looks for ASCII characters eight bytes at a time. A long of the text is turned into one that has the top bit of each
 * matching byte set, and the number of trailing zeros names the first: taking 1 from a byte that is equal to what is
 * looked for (so that their XOR is 0), or 33 from one below 33, or adding 1 to 127, sets the top bit, which the bytes of
 * ASCII do not have; where it was set before, the byte is not ASCII and is masked out. A byte behind a match may be marked
 * wrongly, since the match borrows from it, and one behind 0xFF, which is in no UTF-8; the first match never is.
 */
final class ByteScan {
    /** Longs of a byte array at any index, first byte lowest. */
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

    /** Index of the first line feed from {@code from} on; {@code end} when there is none. */
    @HotPath
    static int newline(byte[] bytes, int from, int end) {
        int found = newlineOrHigh(bytes, from, end);
        return found < 0 ? ~found : found;
    }

    /**
     * Looks for a line feed and for bytes that are not ASCII, in one go.
     *
     * @return the index of the first line feed, or {@code end}; its complement when a byte before it, or less than eight
     *     behind it, is not ASCII
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

    /** Index of the first byte that ends a tag name, tag value or field name, or is a backslash; else {@code end}. */
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

    /** Index of the first byte that ends a metric's name, or is a backslash; {@code end} when there is none. */
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

    /** Index of the first double quote, backslash or line feed; {@code end} when there is none. */
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

    /** Whether all bytes of a range are ASCII. */
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
     * Index of the first space that no backslash stands before; -1 when there is none before {@code end} or a line feed.
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

    /** Number of line feeds in a range. */
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
