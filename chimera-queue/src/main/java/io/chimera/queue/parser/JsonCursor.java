package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.common.wire.Utf8;

/**
 * Walks through a JSON text (RFC 8259) in an array, validating all of the text while the caller reads only a small
 * part: the caller enters the relevant objects and arrays and skips other values. Strings are scanned eight bytes at a
 * time and not decoded. After an error the cursor stands at the end, so that every loop terminates, and {@link
 * #wrong()} describes the error. Not thread-safe; allocates nothing.
 */
final class JsonCursor {
    static final String NOT_UTF8 = "invalid JSON: not UTF-8";
    private static final String CUT_OFF = "invalid JSON: unexpected end";
    private static final String CONTROL = "invalid JSON: control character in a string";
    private static final String ESCAPE = "invalid JSON: unknown escape in a string";
    private static final String KEY = "invalid JSON: a key in quotes is expected";
    private static final String COLON = "invalid JSON: a colon is expected after a key";
    private static final String COMMA = "invalid JSON: a comma or a closing bracket is expected after a value";
    private static final String VALUE = "invalid JSON: a value is expected";
    private static final String NUMBER = "invalid JSON: invalid number";
    private static final String DEEP = "invalid JSON: nested deeper than 64";

    static final int DEPTH_MAX = 64;

    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;
    private static final long QUOTES = '"' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;
    private static final long SPACES = ' ' * ONES;

    private byte[] bytes;
    private int position;
    private int end;
    private int depth;
    private String wrong;

    /** Bounds of the most recent string, without the quotes. */
    private int textStart;

    private int textEnd;
    private boolean escaped;

    private final JsonChars chars = new JsonChars();

    JsonCursor() {}

    /** Starts at the first byte of a range. */
    void open(byte[] newBytes, int offset, int length) {
        bytes = newBytes;
        position = offset;
        end = offset + length;
        depth = 0;
        wrong = null;
    }

    /** Releases the array. */
    void release() {
        bytes = null;
    }

    /** Describes the first error; null while the text is valid. */
    String wrong() {
        return wrong;
    }

    private void fail(String what) {
        if (wrong == null) {
            wrong = position >= end ? CUT_OFF : what;
        }
        position = end;
    }

    /** Returns the next non-space byte without consuming it; 0 at the end. */
    int peek() {
        if (position < end) {
            byte b = bytes[position];
            return b > ' ' ? b : behindSpaces();
        }
        return 0;
    }

    private int behindSpaces() {
        while (position < end) {
            byte b = bytes[position];
            if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
                return b;
            }
            position++;
        }
        return 0;
    }

    /** Index of the next byte. */
    int position() {
        return position;
    }

    /** Whether only spaces remain. */
    boolean isAtEnd() {
        peek();
        return position == end;
    }

    /** Enters the object or array at the cursor. */
    void begin() {
        position++;
        if (++depth > DEPTH_MAX) {
            fail(DEEP);
        }
    }

    /**
     * Advances to the next element of an array, or leaves the array.
     *
     * @param first whether the array was just entered
     * @return false after the last element
     */
    boolean nextElement(boolean first) {
        return next(first, ']');
    }

    /**
     * Advances past the next key of an object to the value, or leaves the object.
     *
     * @param first whether the object was just entered
     * @return false after the last member
     */
    @HotPath
    boolean nextMember(boolean first) {
        if (!next(first, '}')) {
            return false;
        }
        if (peek() != '"') {
            fail(KEY);
            return false;
        }
        text();
        if (peek() != ':') {
            fail(COLON);
            return false;
        }
        position++;
        return true;
    }

    private boolean next(boolean first, char last) {
        int b = peek();
        if (b == last) {
            position++;
            depth--;
            return false;
        }
        if (!first) {
            if (b != ',') {
                fail(COMMA);
                return false;
            }
            position++;
        } else if (b == 0) {
            fail(VALUE);
            return false;
        }
        return true;
    }

    /** Skips a value, including nested values. */
    @HotPath
    void skip() {
        switch (peek()) {
            case '"' -> text();
            case '{' -> {
                begin();
                for (boolean first = true; nextMember(first); first = false) {
                    skip();
                }
            }
            case '[' -> {
                begin();
                for (boolean first = true; nextElement(first); first = false) {
                    skip();
                }
            }
            case 't' -> word('t', 'r', 'u', 'e');
            case 'f' -> {
                position++;
                word('a', 'l', 's', 'e');
            }
            case 'n' -> word('n', 'u', 'l', 'l');
            default -> number();
        }
    }

    private void word(char one, char two, char three, char four) {
        if (end - position < 4
                || bytes[position] != one
                || bytes[position + 1] != two
                || bytes[position + 2] != three
                || bytes[position + 3] != four) {
            fail(VALUE);
        } else {
            position += 4;
        }
    }

    private void number() {
        int i = position;
        if (i < end && bytes[i] == '-') {
            i++;
        }
        int whole = i;
        i = digits(i);
        boolean good = i > whole && (bytes[whole] != '0' || i == whole + 1);
        if (good && i < end && bytes[i] == '.') {
            int fraction = i + 1;
            i = digits(fraction);
            good = i > fraction;
        }
        if (good && i < end && (bytes[i] == 'e' || bytes[i] == 'E')) {
            i++;
            if (i < end && (bytes[i] == '+' || bytes[i] == '-')) {
                i++;
            }
            int exponent = i;
            i = digits(i);
            good = i > exponent;
        }
        if (good) {
            position = i;
        } else {
            fail(i == position ? VALUE : NUMBER);
        }
    }

    private int digits(int from) {
        int i = from;
        while (i < end && bytes[i] >= '0' && bytes[i] <= '9') {
            i++;
        }
        return i;
    }

    /** Skips the string at the cursor. */
    @HotPath
    void text() {
        textStart = position + 1;
        escaped = false;
        int i = textStart;
        while (true) {
            i = special(i);
            if (i >= end) {
                position = end;
                fail(CUT_OFF);
                return;
            }
            byte b = bytes[i];
            if (b == '"') {
                textEnd = i;
                position = i + 1;
                return;
            }
            if (b == '\\') {
                escaped = true;
                do { // a non-ASCII word often is a run of escapes
                    i = behindEscape(i);
                } while (i < end && bytes[i] == '\\');
            } else {
                i = b >= 0 ? failAt(i, CONTROL) : behindSequences(i);
            }
        }
    }

    /** Returns the index of the first quote, backslash, control character or non-ASCII byte; else the end. */
    private int special(int from) {
        int i = from;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            long word = (long) ByteScan.LONGS.get(bytes, i);
            long found = (((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES) | (word - SPACES) | word) & TOPS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < end && bytes[i] >= ' ' && bytes[i] != '"' && bytes[i] != '\\') {
            i++;
        }
        return i;
    }

    private int failAt(int index, String what) {
        position = index;
        fail(what);
        return end;
    }

    private int behindEscape(int backslash) {
        int i = backslash + 1;
        if (i >= end) {
            return end;
        }
        switch (bytes[i]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return i + 1;
            }
            case 'u' -> {
                if (end - i <= 4) {
                    return end;
                }
                return JsonChars.unit(bytes, i + 1) < 0 ? failAt(i, ESCAPE) : i + 5;
            }
            default -> {
                return failAt(i, ESCAPE);
            }
        }
    }

    /** Returns the index after a run of non-ASCII characters. */
    private int behindSequences(int from) {
        int i = from;
        while (i < end && bytes[i] < 0) {
            i++;
        }
        return Utf8.isValid(bytes, from, i) ? i : failAt(from, NOT_UTF8);
    }

    /** First byte of the most recent string. */
    int textStart() {
        return textStart;
    }

    /** Index after the last byte of the most recent string. */
    int textEnd() {
        return textEnd;
    }

    /** Whether the most recent string contains escapes. */
    boolean isEscaped() {
        return escaped;
    }

    /** Characters of the most recent string, starting at the first. */
    JsonChars chars() {
        return chars.open(bytes, textStart, textEnd);
    }

    /** Whether the most recent string (usually a key) equals the given ASCII letters. */
    boolean textIs(byte[] letters) {
        if (escaped) {
            return isSpelled(letters);
        }
        int length = textEnd - textStart;
        if (length != letters.length) {
            return false;
        }
        int i = 0;
        while (i < length && bytes[textStart + i] == letters[i]) {
            i++;
        }
        return i == length;
    }

    private boolean isSpelled(byte[] letters) {
        JsonChars spelled = chars();
        int i = 0;
        while (spelled.hasNext() && i < letters.length && spelled.next() == letters[i]) {
            i++;
        }
        return i == letters.length && !spelled.hasNext();
    }
}
