package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class Utf8Test {
    private static boolean decodes(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    @Test
    void agreesWithTheJdkOnEveryCodePoint() {
        for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
            if (code < Character.MIN_SURROGATE || code > Character.MAX_SURROGATE) {
                byte[] bytes = new String(Character.toChars(code)).getBytes(StandardCharsets.UTF_8);
                assertThat(Utf8.isValid(bytes, 0, bytes.length)).isTrue();
                assertThat(Utf8.isValid(bytes, 0, bytes.length - 1)).isEqualTo(bytes.length == 1);
            }
        }
    }

    @Test
    void agreesWithTheJdkOnEveryPairOfBytesAhead() {
        for (int lead = 0; lead < 65_536; lead++) {
            for (int tail = 0; tail < 3; tail++) {
                byte[] bytes = new byte[2 + tail];
                bytes[0] = (byte) (lead >> 8);
                bytes[1] = (byte) lead;
                for (int i = 0; i < tail; i++) {
                    bytes[2 + i] = (byte) 0xBF;
                }
                assertThat(Utf8.isValid(bytes, 0, bytes.length)).isEqualTo(decodes(bytes));
            }
        }
    }

    @Test
    void agreesWithTheJdkOnRandomBytes() {
        Random random = new Random(5);
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = new byte[random.nextInt(8)];
            for (int k = 0; k < bytes.length; k++) {
                bytes[k] = (byte) (random.nextBoolean() ? 0x80 + random.nextInt(128) : random.nextInt(256));
            }
            assertThat(Utf8.isValid(bytes, 0, bytes.length)).isEqualTo(decodes(bytes));
        }
    }
}
