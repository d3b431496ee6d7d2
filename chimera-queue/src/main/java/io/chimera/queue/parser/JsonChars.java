package io.chimera.queue.parser;

/**
 * The characters of a text of JSON that is known to be valid, one after the other, with its escapes undone. Not thread-safe;
 * allocates nothing.
 */
final class JsonChars {
    private static final int REPLACEMENT = 0xFFFD;
    private static final byte[] HEX = hex();

    /** From one code unit in an escape to the next. */
    private static final int UNIT_LENGTH = 6;

    private byte[] bytes;
    private int position;
    private int end;

    JsonChars() {}

    private static byte[] hex() {
        byte[] digits = new byte[128];
        for (int c = 0; c < digits.length; c++) {
            digits[c] = (byte) Character.digit(c, 16);
        }
        return digits;
    }

    /** The code unit that four hexadecimal digits stand for; -1 when they are none. */
    static int unit(byte[] bytes, int index) {
        int unit = 0;
        for (int i = index; i < index + 4; i++) {
            int digit = bytes[i] < 0 ? -1 : HEX[bytes[i]];
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }

    /** Begins a text, which stands without its quotes from one index to another. */
    JsonChars open(byte[] newBytes, int start, int newEnd) {
        bytes = newBytes;
        position = start;
        end = newEnd;
        return this;
    }

    /** Whether there is another. */
    boolean hasNext() {
        return position < end;
    }

    /** The next code point; for half a pair of surrogates, which only escapes can be, U+FFFD. */
    int next() {
        int lead = bytes[position++];
        if (lead == '\\') {
            return escape();
        }
        if (lead >= 0) {
            return lead;
        }
        if ((lead & 0xE0) == 0xC0) {
            return (lead & 0x1F) << 6 | rest();
        }
        if ((lead & 0xF0) == 0xE0) {
            return (lead & 0xF) << 12 | rest() << 6 | rest();
        }
        return (lead & 0x7) << 18 | rest() << 12 | rest() << 6 | rest();
    }

    private int rest() {
        return bytes[position++] & 0x3F;
    }

    private int escape() {
        byte letter = bytes[position++];
        return switch (letter) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> units();
            default -> letter;
        };
    }

    private int units() {
        int index = position;
        position += 4;
        int unit = unit(bytes, index);
        if (!Character.isSurrogate((char) unit)) {
            return unit;
        }
        int second = index + UNIT_LENGTH;
        if (Character.isHighSurrogate((char) unit)
                && second + 4 <= end
                && bytes[second - 2] == '\\'
                && bytes[second - 1] == 'u'
                && Character.isLowSurrogate((char) unit(bytes, second))) {
            position = second + 4;
            return Character.toCodePoint((char) unit, (char) unit(bytes, second));
        }
        return REPLACEMENT;
    }
}
