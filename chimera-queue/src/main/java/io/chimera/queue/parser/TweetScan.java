package io.chimera.queue.parser;

import io.chimera.api.HotPath;

/**
 * Goes through a line of JSON once, 32 bytes at a time, for its end and for arrays under a key {@code hashtags}. Line feeds
 * cannot stand inside a text of JSON, and of the brackets only those count that a key ending like {@code hashtags"} precedes,
 * which inside a text would have a backslash before its quote. Such a key may have spaces behind it or be written with
 * escapes. What is found is a hint: it says whether the line has to be read as JSON, not what that would say. See {@link
 * ByteScan} for the arithmetic. Not thread-safe; allocates nothing.
 */
final class TweetScan {
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;
    private static final long NEWLINES = '\n' * ONES;
    private static final long COMMON = (0xFF ^ '[' ^ '\n') * ONES;

    private static final int BLOCK = 4 * Long.BYTES;

    private static final String KEY_TEXT = "hashtags";
    private static final long KEY = longOf(KEY_TEXT);

    /** The key with its quotes, each letter written as {@code \}{@code u0068}. */
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

    /** Begins a line. */
    void clear() {
        tagged = false;
        untagged = false;
    }

    /** Whether an array of hashtags that is not empty was seen, or what might be one. */
    boolean isTagged() {
        return tagged;
    }

    /** Whether an empty array of hashtags was seen. */
    boolean isUntagged() {
        return untagged;
    }

    /**
     * Where to go on when more of the line comes, if it did not end: where the range did, or at a bracket of which it cannot be
     * said yet what is behind it.
     */
    int position() {
        return position;
    }

    /**
     * Goes on through a line.
     *
     * @param start index of the line's first byte
     * @param from index of the first byte to look at
     * @param limit index behind the last byte that is there
     * @return index of the line feed; {@code limit} when there is none
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
     * Marks bytes that may be line feeds or brackets, in their top bits; the other bits mean nothing. A bracket is a line feed
     * with three more bits; with these masked out, one comparison finds both, and J, K, Z and three control characters too.
     */
    private static long marks(long word) {
        return (((word & COMMON) ^ NEWLINES) - ONES) & ~word;
    }

    /**
     * Looks at the marked bytes of a block; the index that the search ends with, or -1. Mostly there is one, and in which word
     * it is nobody could predict: its place is computed from the marks of all words, which have eight bits to put theirs in.
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

    /** Looks at the marked bytes of a word. */
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

    /** Looks at a byte: the search ends with a line feed, and at a bracket of which too little has come. */
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

    /** It is known what to do with the line; only its end is missing. */
    private int restOfLine(byte[] bytes, int from, int limit) {
        position = ByteScan.newline(bytes, from, limit);
        return position;
    }

    /** Looks at what stands around a bracket; false when what follows it has not come yet. */
    private boolean bracket(byte[] bytes, int start, int index, int limit) {
        int i = index - 1;
        if (i - 4 < start) {
            return true;
        }
        if (bytes[i] == ':' && bytes[i - 1] == '"') { // as everybody writes it
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

    /** The last two letters, as they are or the ends of their escapes: {@code \}{@code u0067} and {@code \}{@code u0073}. */
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

    /** Spaces of JSON within a line. */
    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }
}
