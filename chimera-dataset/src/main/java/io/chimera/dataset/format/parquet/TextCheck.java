package io.chimera.dataset.format.parquet;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Checks whether texts are valid UTF-8. Allocates once per array with texts. One thread. */
final class TextCheck {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final CharBuffer chars = CharBuffer.allocate(256);
    private ByteBuffer view = ByteBuffer.allocate(0);

    /** Returns the length of a text, or {@link TextDecoder#INVALID} when the text is not valid UTF-8. */
    int lengthOf(byte[] bytes, int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (bytes[i] < 0) {
                return isValid(bytes, i, from + length - i) ? length : TextDecoder.INVALID;
            }
        }
        return length;
    }

    private boolean isValid(byte[] bytes, int from, int length) {
        if (view.array() != bytes) {
            view = ByteBuffer.wrap(bytes);
        }
        view.limit(from + length).position(from);
        decoder.reset();
        CoderResult result;
        do {
            chars.clear();
            result = decoder.decode(view, chars, true);
        } while (result.isOverflow());
        return !result.isError();
    }
}
