package io.chimera.common.letters;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text of rejected data in a JSON object: {@code text}, or {@code base64} when the bytes are not UTF-8. */
public final class LetterText {
    /** Mask and value of the bytes of a UTF-8 character after its first byte. */
    private static final int FOLLOWING_MASK = 0xC0;

    private static final int FOLLOWING = 0x80;
    private static final int CHARACTER_BYTES_MAX = 4;

    private LetterText() {}

    /**
     * Writes the member.
     *
     * @param object the JSON object
     * @param bytes array with the text
     * @param offset index of the first byte
     * @param length length of the text in bytes
     * @throws IOException when the object cannot be written
     */
    public static void write(JsonGenerator object, byte[] bytes, int offset, int length) throws IOException {
        String decoded;
        try {
            decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, offset, length))
                    .toString();
        } catch (CharacterCodingException e) {
            object.writeFieldName("base64");
            object.writeBinary(bytes, offset, length);
            return;
        }
        object.writeStringField("text", decoded);
    }

    /**
     * Returns the length of the beginning of a text that ends between two characters, if the text is UTF-8.
     *
     * @param bytes array with the text
     * @param offset index of the first byte
     * @param length length of the text in bytes
     * @param lengthMax maximum length of the beginning in bytes
     */
    public static int beginning(byte[] bytes, int offset, int length, int lengthMax) {
        if (length <= lengthMax) {
            return length;
        }
        for (int end = lengthMax; end > 0 && end > lengthMax - CHARACTER_BYTES_MAX; end--) {
            if ((bytes[offset + end] & FOLLOWING_MASK) != FOLLOWING) {
                return end;
            }
        }
        return lengthMax;
    }
}
