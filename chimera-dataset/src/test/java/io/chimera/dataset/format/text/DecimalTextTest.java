package io.chimera.dataset.format.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DecimalTextTest {
    private final DecimalText number = new DecimalText();

    private boolean readLong(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return number.readLong(bytes, 0, bytes.length);
    }

    private boolean readDouble(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return number.readDouble(bytes, 0, bytes.length);
    }

    @Test
    void readsIntegers() {
        for (long value : new long[] {0, 1, -1, 1234567890123456789L, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(readLong("" + value)).isTrue();
            assertThat(number.longValue()).isEqualTo(value);
        }
        assertThat(readLong("+7")).isTrue();
        for (String text : List.of("", "-", "+", "1.0", "1e3", "9223372036854775808", "-9223372036854775809", "1 ")) {
            assertThat(readLong(text)).as(text).isFalse();
        }
    }

    @Test
    void readsDecimals() {
        for (String text :
                List.of("0", "-0.0", "1.5", ".5", "5.", "1e-300", "1E+9", "0.1", "123456789012345678901234")) {
            assertThat(readDouble(text)).as(text).isTrue();
            assertThat(number.doubleValue()).isEqualTo(Double.parseDouble(text));
        }
        for (String text : List.of("", "-", "NaN", "Infinity", "1f", "0x1p3", "1e", "1-2", "--1", "1".repeat(500))) {
            assertThat(readDouble(text)).as(text).isFalse();
        }
    }
}
