package io.chimera.queue.parser;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Values of a pickle: texts, numbers, pairs and lists, by their index. Texts without escapes stay in the pickle. Not
 * thread-safe; allocates only to enlarge its memory.
 */
final class PickleNodes {
    /** Maximum number of values and list elements: ten per point of a message of 1 MiB with 40 bytes per point. */
    static final int NODES_MAX = 1 << 18;

    /** Capacity kept after a pickle. */
    static final int KEPT_MAX = 1 << 13;

    /** No value. */
    static final int NONE = -1;

    private static final byte OTHER = 0;
    private static final byte TEXT = 1;
    /** Text in the scratch memory. */
    private static final byte RESOLVED = 2;

    private static final byte NUMBER = 3;
    private static final byte PAIR = 4;
    private static final byte LIST = 5;
    private static final byte ELEMENT = 6;

    private static final int FIRST = 256;

    /** Kind of each value; {@link #ELEMENT} is a link of a list. */
    private byte[] kinds = new byte[FIRST];

    /** Bits of a number; else two indexes: bounds of a text, members of a pair, first and last link, value and next. */
    private long[] contents = new long[FIRST];

    private final byte[] scratch = new byte[BodyLayout.TEXT_LENGTH_MAX];
    private int scratchUsed;
    private int count;
    private boolean full;
    private byte[] bytes;

    PickleNodes() {}

    /** Starts a pickle without values. */
    void open(byte[] newBytes) {
        bytes = newBytes;
        count = 0;
        scratchUsed = 0;
        full = false;
    }

    /** Releases the pickle and the memory of a large pickle. */
    void release() {
        bytes = null;
        if (kinds.length > KEPT_MAX) {
            kinds = new byte[FIRST];
            contents = new long[FIRST];
        }
    }

    /** Whether values were lost because of the limits. */
    boolean isFull() {
        return full;
    }

    private int add(byte kind, long content) {
        if (count == NODES_MAX) {
            full = true;
            return 0;
        }
        if (count == kinds.length) {
            enlarge();
        }
        kinds[count] = kind;
        contents[count] = content;
        return count++;
    }

    @ColdPath
    private void enlarge() {
        kinds = Arrays.copyOf(kinds, 2 * kinds.length);
        contents = Arrays.copyOf(contents, 2 * contents.length);
    }

    private static long both(int first, int second) {
        return (long) first << Integer.SIZE | (second & 0xFFFFFFFFL);
    }

    private int first(int node) {
        return (int) (contents[node] >> Integer.SIZE);
    }

    private int second(int node) {
        return (int) contents[node];
    }

    /** Adds a value without a meaning for points. */
    int other() {
        return add(OTHER, 0);
    }

    int number(double value) {
        return add(NUMBER, Double.doubleToRawLongBits(value));
    }

    /** Adds a text of the pickle. */
    int text(int start, int end) {
        return add(TEXT, both(start, end));
    }

    int pair(int one, int two) {
        return add(PAIR, both(one, two));
    }

    int list() {
        return add(LIST, both(NONE, NONE));
    }

    boolean isList(int node) {
        return kinds[node] == LIST;
    }

    /** Appends a value to a list. */
    void append(int list, int node) {
        int link = add(ELEMENT, both(node, NONE));
        if (full) {
            return;
        }
        int last = second(list);
        contents[list] = both(last == NONE ? link : first(list), link);
        if (last != NONE) {
            contents[last] = both(first(last), link);
        }
    }

    /** First link of a list; {@link #NONE} for an empty list and for any other value. */
    int firstLink(int node) {
        return node >= 0 && isList(node) ? first(node) : NONE;
    }

    /** Link after a link of a list; {@link #NONE} after the last one. */
    int nextLink(int link) {
        return second(link);
    }

    /** Value of a link of a list. */
    int valueOf(int link) {
        return first(link);
    }

    /** Returns one of two members of a pair or of a list of two; {@link #NONE} for any other value. */
    @HotPath
    int member(int node, int index) {
        if (node == NONE) {
            return NONE;
        }
        if (kinds[node] == PAIR) {
            return index == 0 ? first(node) : second(node);
        }
        int one = firstLink(node);
        int two = one == NONE ? NONE : nextLink(one);
        if (two == NONE || nextLink(two) != NONE) {
            return NONE;
        }
        return valueOf(index == 0 ? one : two);
    }

    boolean isText(int node) {
        return node != NONE && (kinds[node] == TEXT || kinds[node] == RESOLVED);
    }

    boolean isNumber(int node) {
        return node != NONE && kinds[node] == NUMBER;
    }

    double numberOf(int node) {
        return Double.longBitsToDouble(contents[node]);
    }

    /** Array with a text. */
    byte[] bytesOf(int text) {
        return kinds[text] == TEXT ? bytes : scratch;
    }

    int startOf(int text) {
        return first(text);
    }

    int endOf(int text) {
        return second(text);
    }

    /**
     * Adds a text of protocol 0.
     *
     * @param unicode whether bytes are Latin-1 with escapes for other characters; else bytes with the escapes of Python
     */
    int escaped(int start, int end, boolean unicode) {
        boolean plain = true;
        for (int i = start; i < end && plain; i++) {
            plain = bytes[i] != '\\' && (bytes[i] >= 0 || !unicode);
        }
        return plain ? text(start, end) : resolve(start, end, unicode);
    }

    @ColdPath
    private int resolve(int start, int end, boolean unicode) {
        int from = scratchUsed;
        int i = start;
        while (i < end) {
            int width = 1;
            int c = bytes[i] & 0xFF;
            if (c == '\\' && i + 1 < end) {
                int letter = bytes[i + 1];
                int digits =
                        letter == 'x' && !unicode ? 2 : letter == 'u' && unicode ? 4 : letter == 'U' && unicode ? 8 : 0;
                if (digits > 0) {
                    c = hexadecimal(i + 2, digits, end);
                    width = 2 + digits;
                } else if (!unicode) {
                    c = letter == 'n' ? '\n' : letter == 't' ? '\t' : letter == 'r' ? '\r' : letter;
                    width = 2;
                }
            }
            if (!put(c, unicode)) {
                return other();
            }
            i += width;
        }
        return add(RESOLVED, both(from, scratchUsed));
    }

    private int hexadecimal(int from, int digits, int end) {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = i < end ? Character.digit(bytes[i], 16) : NONE;
            if (digit < 0) {
                return NONE;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** Adds a character as UTF-8, or a byte; false without room or for no character. */
    private boolean put(int c, boolean unicode) {
        if (c < 0 || c > Character.MAX_CODE_POINT || scratch.length - scratchUsed < 4) {
            return false;
        }
        if (c < 0x80 || !unicode) {
            scratch[scratchUsed++] = (byte) c;
            return true;
        }
        byte[] encoded = new String(Character.toChars(c)).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(encoded, 0, scratch, scratchUsed, encoded.length);
        scratchUsed += encoded.length;
        return true;
    }
}
