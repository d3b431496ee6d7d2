package io.chimera.dataset.format.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

/** Texts of the mapped values of a JSON object, as UTF-8. One thread; allocates for non-ASCII text, and to grow. */
final class JsonValues {
    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final int BYTES_PER_CHAR_MAX = 3;

    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private byte[] bytes = new byte[1024];
    private int used;

    JsonValues() {}

    /** Begins another object. */
    void clear() {
        used = 0;
    }

    /**
     * Sets the column of a row to the current value of a parser. Null and empty text are no value.
     *
     * @return false when the text has an unpaired surrogate
     */
    boolean set(JsonParser parser, JsonToken token, int column, MappedRow row) throws IOException {
        switch (token) {
            case VALUE_NULL -> {
                return true;
            }
            case VALUE_TRUE -> row.set(column, TRUE, 0, TRUE.length);
            case VALUE_FALSE -> row.set(column, FALSE, 0, FALSE.length);
            default -> {
                makeRoom(parser.getTextLength());
                int from = used;
                if (!encode(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength())) {
                    return false;
                }
                if (used > from) {
                    row.set(column, bytes, from, used);
                }
            }
        }
        return true;
    }

    private void makeRoom(int chars) {
        long room = (long) BYTES_PER_CHAR_MAX * chars;
        if (room > bytes.length - used) {
            // values of the row keep the old array
            bytes = new byte[Math.toIntExact(Math.max(2L * bytes.length, room))];
            used = 0;
        }
    }

    private boolean encode(char[] chars, int from, int length) {
        for (int i = 0; i < length; i++) {
            char c = chars[from + i];
            if (c >= 0x80) {
                return encodeOther(CharBuffer.wrap(chars, from + i, length - i));
            }
            bytes[used++] = (byte) c;
        }
        return true;
    }

    private boolean encodeOther(CharBuffer chars) {
        ByteBuffer target = ByteBuffer.wrap(bytes, used, bytes.length - used);
        encoder.reset();
        boolean isValid = !encoder.encode(chars, target, true).isError();
        used = target.position();
        return isValid;
    }
}
