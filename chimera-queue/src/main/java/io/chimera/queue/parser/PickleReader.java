package io.chimera.queue.parser;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * Reads a Python pickle of lists, tuples, texts and numbers, protocols 0 to 5, into {@link PickleNodes}. A pickle is a
 * program for a stack machine; this reader knows only the instructions that build these values, so a pickle can neither
 * name a class nor call one. Not thread-safe; allocates only to enlarge its memory.
 */
final class PickleReader {
    /** Maximum number of values kept for later reference. */
    private static final int MEMO_MAX = 1 << 17;

    private static final int FIRST = 256;
    private static final int PROTOCOL_MAX = 5;
    private static final int MARK = -1;
    private static final int NOTHING = -2;

    private final PickleNodes nodes = new PickleNodes();
    private final NumberText number = new NumberText();
    private int[] stack = new int[FIRST];
    private int[] memo = new int[FIRST];
    private int depth;
    private int memoised;
    private byte[] bytes;
    private int position;
    private int end;

    /** Creates a reader without values. */
    PickleReader() {}

    /** Values of the last pickle. */
    PickleNodes nodes() {
        return nodes;
    }

    /** Releases the pickle and the memory of a large pickle. */
    @ColdPath // allocates after a message above KEPT_MAX only
    void release() {
        bytes = null;
        number.release();
        nodes.release();
        if (stack.length > PickleNodes.KEPT_MAX) {
            stack = new int[FIRST];
        }
        if (memo.length > PickleNodes.KEPT_MAX) {
            memo = new int[FIRST];
        }
    }

    /**
     * Reads a pickle.
     *
     * @return the value; negative for bytes that are no pickle of these values
     */
    @HotPath
    int read(byte[] source, int from, int to) {
        bytes = source;
        position = from;
        end = to;
        depth = 0;
        memoised = 0;
        nodes.open(source);
        while (position < end) {
            int instruction = bytes[position++] & 0xFF;
            if (instruction == '.') {
                return depth == 1 ? stack[0] : NOTHING;
            }
            if (!run(instruction)) {
                return NOTHING;
            }
        }
        return NOTHING;
    }

    private boolean run(int instruction) {
        return switch (instruction) {
            case 0x80 -> byteAhead() <= PROTOCOL_MAX && skip(1); // PROTO
            case 0x95 -> skip(8); // FRAME
            case '(' -> push(MARK);
            case ']' -> push(nodes.list());
            case ')' -> push(nodes.other());
            case 'l' -> list();
            case 't' -> tuple(countToMark(), true);
            case 0x85 -> tuple(1, false);
            case 0x86 -> tuple(2, false);
            case 0x87 -> tuple(3, false);
            case 'a' -> append(1, false);
            case 'e' -> append(countToMark(), true);
            case 'U', 0x8C -> text(1); // SHORT_BINSTRING, SHORT_BINUNICODE
            case 'T', 'X' -> text(4); // BINSTRING, BINUNICODE
            case 0x8D -> text(8); // BINUNICODE8
            case 'S' -> quoted();
            case 'V' -> unicodeLine();
            case 'K' -> push(nodes.number((double) little(1)));
            case 'M' -> push(nodes.number((double) little(2)));
            case 'J' -> push(nodes.number((int) little(4)));
            case 0x8A -> longNumber();
            case 'G' -> push(nodes.number(Double.longBitsToDouble(Long.reverseBytes(little(8)))));
            case 'F', 'I', 'L' -> numberLine(instruction);
            case 'q' -> remember(little(1));
            case 'r' -> remember(little(4));
            case 'p' -> remember(decimalLine());
            case 0x94 -> remember(memoised); // MEMOIZE
            case 'h' -> recall(little(1));
            case 'j' -> recall(little(4));
            case 'g' -> recall(decimalLine());
            default -> false;
        };
    }

    private int byteAhead() {
        return position < end ? bytes[position] & 0xFF : Integer.MAX_VALUE;
    }

    private boolean skip(int count) {
        if (count > end - position) {
            return false;
        }
        position += count;
        return true;
    }

    /** Reads a little-endian number; moves behind the end when the pickle is too short, which ends the reading. */
    private long little(int count) {
        if (count > end - position) {
            position = end;
            return NOTHING;
        }
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = value << 8 | (bytes[position + i] & 0xFF);
        }
        position += count;
        return value;
    }

    private boolean push(int node) {
        if (node == NOTHING || nodes.isFull()) {
            return false;
        }
        if (depth == stack.length) {
            stack = enlarged(stack);
        }
        stack[depth++] = node;
        return true;
    }

    @ColdPath
    private static int[] enlarged(int[] array) {
        return Arrays.copyOf(array, 2 * array.length);
    }

    /** Number of values above the topmost mark; negative without a mark. */
    private int countToMark() {
        int mark = depth - 1;
        while (mark >= 0 && stack[mark] != MARK) {
            mark--;
        }
        return mark < 0 ? NOTHING : depth - 1 - mark;
    }

    /** Whether the topmost values exist and none is a mark. */
    private boolean hasValues(int count) {
        if (count < 0 || count > depth) {
            return false;
        }
        for (int i = depth - count; i < depth; i++) {
            if (stack[i] == MARK) {
                return false;
            }
        }
        return true;
    }

    private boolean tuple(int count, boolean marked) {
        if (!hasValues(count)) {
            return false;
        }
        int tuple = count == 2 ? nodes.pair(stack[depth - 2], stack[depth - 1]) : nodes.other();
        depth -= marked ? count + 1 : count;
        return push(tuple);
    }

    private boolean list() {
        int count = countToMark();
        if (count < 0) {
            return false;
        }
        int list = nodes.list();
        for (int i = depth - count; i < depth; i++) {
            nodes.append(list, stack[i]);
        }
        depth -= count + 1;
        return push(list);
    }

    private boolean append(int count, boolean marked) {
        int list = depth - count - (marked ? 2 : 1);
        if (list < 0 || !hasValues(count) || stack[list] == MARK || !nodes.isList(stack[list])) {
            return false;
        }
        for (int i = depth - count; i < depth; i++) {
            nodes.append(stack[list], stack[i]);
        }
        depth = list + 1;
        return !nodes.isFull();
    }

    private boolean text(int lengthBytes) {
        long length = little(lengthBytes);
        int start = position;
        return length >= 0 && length <= end - start && skip((int) length) && push(nodes.text(start, position));
    }

    /** Index of the end of a line; moves to the next line. Negative without a line end. */
    private int lineEnd() {
        int i = position;
        while (i < end && bytes[i] != '\n') {
            i++;
        }
        if (i == end) {
            return NOTHING;
        }
        position = i + 1;
        return i;
    }

    private boolean quoted() {
        int start = position;
        int last = lineEnd() - 1;
        if (last <= start || (bytes[start] != '\'' && bytes[start] != '"') || bytes[last] != bytes[start]) {
            return false;
        }
        return push(nodes.escaped(start + 1, last, false));
    }

    private boolean unicodeLine() {
        int start = position;
        int last = lineEnd();
        return last >= start && push(nodes.escaped(start, last, true));
    }

    private boolean longNumber() {
        int length = byteAhead();
        if (length > Long.BYTES) {
            return false;
        }
        position++;
        if (length == 0) {
            return push(nodes.number(0));
        }
        int unused = Long.SIZE - Byte.SIZE * length;
        return length <= end - position && push(nodes.number((double) (little(length) << unused >> unused)));
    }

    private boolean numberLine(int instruction) {
        int start = position;
        int last = lineEnd();
        if (instruction == 'L' && last > start && bytes[last - 1] == 'L') {
            last--;
        }
        if (last <= start) {
            return false;
        }
        if (number.readSigned(bytes, start, last) && number.next() == last) {
            return push(nodes.number(number.asDouble()));
        }
        return NumberField.isNotFinite(bytes, start, last) && push(nodes.number(Double.NaN));
    }

    private long decimalLine() {
        int start = position;
        int last = lineEnd();
        boolean isNumber = last > start && number.readInteger(bytes, start, last) && number.next() == last;
        return isNumber && number.isLong() ? number.asLong() : NOTHING;
    }

    private boolean remember(long index) {
        if (index < 0 || index >= MEMO_MAX || depth == 0 || stack[depth - 1] == MARK) {
            return false;
        }
        while (index >= memo.length) {
            memo = enlarged(memo);
        }
        while (memoised <= index) {
            memo[memoised++] = NOTHING;
        }
        memo[(int) index] = stack[depth - 1];
        return true;
    }

    private boolean recall(long index) {
        return index >= 0 && index < memoised && push(memo[(int) index]);
    }
}
