package io.chimera.queue.parser;

/** Iterates over the characters of a valid JSON string and resolves escapes. Not thread-safe; allocates nothing. */
final class JsonChars {
    private static final int REPLACEMENT = 0xFFFD;
    private static final byte[] HEX = hex();

    /** Distance between two escaped code units. */
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

    /** Returns the code unit encoded by four hexadecimal digits; -1 for other characters. */
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

    /** Starts at the first character of a string; both indexes exclude the quotes. */
    JsonChars open(byte[] newBytes, int start, int newEnd) {
        bytes = newBytes;
        position = start;
        end = newEnd;
        return this;
    }

    boolean hasNext() {
        return position < end;
    }

    /** Returns the next code point; U+FFFD for an unpaired surrogate, which can only come from an escape. */
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
