package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Text in bodies of answers: UTF-8, usually with a zero byte at the end. */
public final class AnswerText {
    private AnswerText() {}

    /**
     * Decodes the rest of a body up to the first zero byte. Malformed bytes become replacement characters.
     *
     * @param body the body; its position moves to the limit
     */
    public static String decode(ByteBuffer body) {
        String text = StandardCharsets.UTF_8.decode(body).toString();
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }
}
