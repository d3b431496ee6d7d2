package io.chimera.queue.parser;

import io.chimera.api.HotPath;

/**
 * Scans a line of JSON once, 32 bytes at a time, for the line end and for arrays under a key {@code hashtags}.
 *
 * <p>A JSON string cannot contain a line feed. A bracket counts only after a key ending like {@code hashtags"}; inside
 * a string, the quote of such a key would be preceded by a backslash. The key may be followed by spaces or contain
 * escapes. The result is a hint: it only decides whether the line must be parsed as JSON. See {@link ByteScan} for the
 * arithmetic. Not thread-safe; allocates nothing.
 */
final class TweetScan {
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;
    private static final long NEWLINES = '\n' * ONES;
    private static final long COMMON = (0xFF ^ '[' ^ '\n') * ONES;

    private static final int BLOCK = 4 * Long.BYTES;

    private static final String KEY_TEXT = "hashtags";
    private static final long KEY = longOf(KEY_TEXT);

    /** Length of the quoted key with every letter escaped as {@code \}{@code u0068}. */
    private static final int KEY_LENGTH_MAX = 2 + 6 * KEY_TEXT.length();

    private boolean tagged;
    private boolean untagged;
    private int position;

    TweetScan() {}

    private static long longOf(String text) {
        long word = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            word = word << Byte.SIZE | text.charAt(i);
        }
        return word;
    }

    /** Starts a line. */
    void clear() {
        tagged = false;
        untagged = false;
    }

    /** Whether a non-empty hashtag array, or a possible one, was found. */
    boolean isTagged() {
        return tagged;
    }

    /** Whether an empty hashtag array was found. */
    boolean isUntagged() {
        return untagged;
    }

    /**
     * Position for continuing an incomplete line: the end of the scanned range, or a bracket whose following bytes have
     * not arrived.
     */
    int position() {
        return position;
    }

    /**
     * Continues scanning a line.
     *
     * @param start first byte of the line
     * @param from first byte to scan
     * @param limit index after the last available byte
     * @return index of the line feed, or {@code limit}
     */
    @HotPath
    int lineFeed(byte[] bytes, int start, int from, int limit) {
        int i = from;
        while (!tagged && i <= limit - BLOCK) {
            long one = marks((long) ByteScan.LONGS.get(bytes, i));
            long two = marks((long) ByteScan.LONGS.get(bytes, i + Long.BYTES));
            long three = marks((long) ByteScan.LONGS.get(bytes, i + 2 * Long.BYTES));
            long four = marks((long) ByteScan.LONGS.get(bytes, i + 3 * Long.BYTES));
            if (((one | two | three | four) & TOPS) != 0) {
                int found = visitBlock(one & TOPS, two & TOPS, three & TOPS, four & TOPS, i, bytes, start, limit);
                if (found >= 0) {
                    return found;
                }
            }
            i += BLOCK;
        }
        return tagged ? restOfLine(bytes, i, limit) : tail(bytes, start, i, limit);
    }

    /**
     * Marks possible line feeds and brackets in the top bits of their bytes; the other bits are undefined. The codes of
     * bracket and line feed differ in three bits. With these bits masked out, one comparison finds both characters, and
     * also J, K, Z and three control characters.
     */
    private static long marks(long word) {
        return (((word & COMMON) ^ NEWLINES) - ONES) & ~word;
    }

    /**
     * Visits the marked bytes of a block; returns the end index of the search, or -1. A block usually has one mark, and
     * the word of this mark is unpredictable for the branch predictor. Its position is therefore computed from all
     * words, whose marks are packed into different bits of each byte.
     */
    private int visitBlock(long one, long two, long three, long four, int index, byte[] bytes, int start, int limit) {
        long all = one >>> 7 | two >>> 6 | three >>> 5 | four >>> 4;
        if ((all & (all - 1)) == 0) {
            int bit = Long.numberOfTrailingZeros(all);
            return look(index + (bit >>> 3) + (bit & 7) * Long.BYTES, bytes, start, limit);
        }
        int found = visit(one, index, bytes, start, limit);
        found = found < 0 ? visit(two, index + Long.BYTES, bytes, start, limit) : found;
        found = found < 0 ? visit(three, index + 2 * Long.BYTES, bytes, start, limit) : found;
        return found < 0 ? visit(four, index + 3 * Long.BYTES, bytes, start, limit) : found;
    }

    /** Visits the marked bytes of a word. */
    private int visit(long marked, int index, byte[] bytes, int start, int limit) {
        int found = -1;
        for (long rest = marked; rest != 0 && found < 0; rest &= rest - 1) {
            found = look(index + (Long.numberOfTrailingZeros(rest) >>> 3), bytes, start, limit);
        }
        return found;
    }

    private int tail(byte[] bytes, int start, int from, int limit) {
        for (int i = from; i < limit; i++) {
            int found = look(i, bytes, start, limit);
            if (found >= 0) {
                return found;
            }
        }
        position = limit;
        return limit;
    }

    /** Examines a byte. The search ends at a line feed, and at a bracket without enough bytes after it. */
    private int look(int i, byte[] bytes, int start, int limit) {
        if (bytes[i] == '\n') {
            position = i;
            return i;
        }
        if (bytes[i] == '[' && !bracket(bytes, start, i, limit)) {
            position = i;
            return limit;
        }
        return -1;
    }

    /** Finds the line end after the kind of the line has been decided. */
    private int restOfLine(byte[] bytes, int from, int limit) {
        position = ByteScan.newline(bytes, from, limit);
        return position;
    }

    /** Examines the surroundings of a bracket; false when the following bytes have not arrived. */
    private boolean bracket(byte[] bytes, int start, int index, int limit) {
        int i = index - 1;
        if (i - 4 < start) {
            return true;
        }
        if (bytes[i] == ':' && bytes[i - 1] == '"') { // the usual form without spaces
            i -= 2;
        } else {
            i = beforeSpaces(bytes, start, i);
            if (i <= start || bytes[i] != ':') {
                return true;
            }
            i = beforeSpaces(bytes, start, i - 1);
            if (i <= start || bytes[i] != '"') {
                return true;
            }
            i--;
        }
        return !endsLikeKey(bytes, start, i) || array(bytes, start, i, index, limit);
    }

    /**
     * Checks the last two letters, either plain or as the ends of the escapes {@code \}{@code u0067} and {@code
     * \}{@code u0073}.
     */
    private static boolean endsLikeKey(byte[] bytes, int start, int last) {
        if (last - 1 <= start) {
            return false;
        }
        byte letter = bytes[last];
        byte before = bytes[last - 1];
        return (letter == 's' && (before == 'g' || before == '7')) || (letter == '3' && before == '7');
    }

    private boolean array(byte[] bytes, int start, int last, int bracket, int limit) {
        if (!isKey(bytes, start, last)) {
            tagged |= mayBeEscapedKey(bytes, start, last);
            return true;
        }
        int i = bracket + 1;
        while (i < limit && isSpace(bytes[i])) {
            i++;
        }
        if (i == limit) {
            return false;
        }
        if (bytes[i] == ']') {
            untagged = true;
        } else {
            tagged = true;
        }
        return true;
    }

    private static boolean isKey(byte[] bytes, int start, int last) {
        int quote = last - KEY_TEXT.length();
        return quote > start && bytes[quote] == '"' && (long) ByteScan.LONGS.get(bytes, quote + 1) == KEY;
    }

    private static boolean mayBeEscapedKey(byte[] bytes, int start, int last) {
        for (int i = last; i > start && i > last - KEY_LENGTH_MAX; i--) {
            if (bytes[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    private static int beforeSpaces(byte[] bytes, int start, int from) {
        int i = from;
        while (i > start && isSpace(bytes[i])) {
            i--;
        }
        return i;
    }

    /** Whether a byte is JSON whitespace within a line. */
    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }
}
