package io.chimera.queue.parser;

import io.chimera.api.HotPath;

/**
 * Walks through a JSON text (RFC 8259) in an array, for a reader that wants little of it and wants to know that all of it is
 * valid: the reader steps into objects and arrays that matter and over other values. Texts are gone through eight bytes at
 * a time and not decoded. Where something is wrong the cursor stands at the end, so every loop ends, and {@link #wrong()} says
 * what. Not thread-safe; allocates nothing.
 */
final class JsonCursor {
    static final String NOT_UTF8 = "invalid JSON: not UTF-8";
    private static final String CUT_OFF = "invalid JSON: it ends too early";
    private static final String CONTROL = "invalid JSON: control character in a text";
    private static final String ESCAPE = "invalid JSON: unknown escape in a text";
    private static final String KEY = "invalid JSON: a key in quotes is expected";
    private static final String COLON = "invalid JSON: a colon is expected behind a key";
    private static final String COMMA = "invalid JSON: a comma or an end is expected behind a value";
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

    /** The text last stepped over, without its quotes. */
    private int textStart;

    private int textEnd;
    private boolean escaped;

    private final JsonChars chars = new JsonChars();

    JsonCursor() {}

    /** Begins ahead of the first byte of a range. */
    void open(byte[] newBytes, int offset, int length) {
        bytes = newBytes;
        position = offset;
        end = offset + length;
        depth = 0;
        wrong = null;
    }

    /** What is wrong with the text as far as it was read; null when nothing is. */
    String wrong() {
        return wrong;
    }

    private void fail(String what) {
        if (wrong == null) {
            wrong = position >= end ? CUT_OFF : what;
        }
        position = end;
    }

    /** The next byte that is no space; 0 at the end. It is not consumed. */
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

    /** Whether nothing but spaces is left. */
    boolean isAtEnd() {
        peek();
        return position == end;
    }

    /** Steps into the object or array that begins here. */
    void begin() {
        position++;
        if (++depth > DEPTH_MAX) {
            fail(DEEP);
        }
    }

    /**
     * Steps to the next element of an array, or out of it.
     *
     * @param first whether the array was just stepped into
     * @return false behind the last
     */
    boolean nextElement(boolean first) {
        return next(first, ']');
    }

    /**
     * Steps over the key of the next member of an object, to its value, or out of the object.
     *
     * @param first whether the object was just stepped into
     * @return false behind the last
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

    /** Steps over a value with all that is in it. */
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

    /** Steps over a text that begins here. */
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
                do { // a word that is not ASCII is one escape behind the other
                    i = behindEscape(i);
                } while (i < end && bytes[i] == '\\');
            } else {
                i = b >= 0 ? failAt(i, CONTROL) : behindSequences(i);
            }
        }
    }

    /** Index of the first byte that is a quote, a backslash, a control character or not ASCII; the end when none is. */
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

    /** Index behind the characters that are not ASCII. */
    private int behindSequences(int from) {
        int i = from;
        while (i < end && bytes[i] < 0) {
            i++;
        }
        return Utf8.isValid(bytes, from, i) ? i : failAt(from, NOT_UTF8);
    }

    /** Index of the first byte of the text last stepped over. */
    int textStart() {
        return textStart;
    }

    /** Index behind the last byte of it. */
    int textEnd() {
        return textEnd;
    }

    /** The characters of the text last stepped over, ahead of the first. */
    JsonChars chars() {
        return chars.open(bytes, textStart, textEnd);
    }

    /** Whether the text last stepped over, a key mostly, is one of ASCII letters. */
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
