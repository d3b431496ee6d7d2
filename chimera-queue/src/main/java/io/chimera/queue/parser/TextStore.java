package io.chimera.queue.parser;

import com.fasterxml.jackson.core.JsonParser;
import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import java.io.IOException;

/** Stores the text of JSON tokens as UTF-8, in sequence, in one pre-allocated array. Not thread-safe. */
final class TextStore {
    /** Capacity; excess text is dropped and sets {@link #isFull()}. */
    private static final int LENGTH_MAX = BodyLayout.TEXT_LENGTH_MAX;

    private static final int REPLACEMENT = 0xFFFD;

    private final byte[] bytes = new byte[LENGTH_MAX];
    private int used;
    private boolean full;

    TextStore() {}

    void clear() {
        used = 0;
        full = false;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Index after the last text. */
    int used() {
        return used;
    }

    boolean isFull() {
        return full;
    }

    /** Adds the text of the parser's current token; returns the length in bytes. */
    @HotPath
    int add(JsonParser token) throws IOException {
        char[] chars = token.getTextCharacters();
        int from = token.getTextOffset();
        int to = from + token.getTextLength();
        int start = used;
        for (int i = from; i < to; i++) {
            int c = chars[i];
            if (Character.isSurrogate((char) c)) {
                boolean pair =
                        Character.isHighSurrogate((char) c) && i + 1 < to && Character.isLowSurrogate(chars[i + 1]);
                c = pair ? Character.toCodePoint((char) c, chars[++i]) : REPLACEMENT;
            }
            if (LENGTH_MAX - used < 4) {
                full = true;
                break;
            }
            put(c);
        }
        return used - start;
    }

    /** Adds the characters of a JSON string; returns the length in bytes. */
    @HotPath
    int add(JsonChars chars) {
        int start = used;
        while (chars.hasNext() && !full) {
            int c = chars.next();
            if (LENGTH_MAX - used < 4) {
                full = true;
            } else {
                put(c);
            }
        }
        return used - start;
    }

    private void put(int c) {
        if (c < 0x80) {
            bytes[used++] = (byte) c;
            return;
        }
        if (c < 0x800) {
            bytes[used++] = (byte) (0xC0 | c >> 6);
        } else {
            if (c < 0x10000) {
                bytes[used++] = (byte) (0xE0 | c >> 12);
            } else {
                bytes[used++] = (byte) (0xF0 | c >> 18);
                bytes[used++] = (byte) (0x80 | (c >> 12 & 0x3F));
            }
            bytes[used++] = (byte) (0x80 | (c >> 6 & 0x3F));
        }
        bytes[used++] = (byte) (0x80 | (c & 0x3F));
    }
}
