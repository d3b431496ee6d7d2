package io.chimera.queue.source.reject;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RejectedTextTest {
    private static String of(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return RejectedText.of(bytes, bytes.length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /write HTTP/1.1\r\nAuthorization: Token s3cr3t\r\nHost: a",
                "authorization: Basic czNjcjN0OnMzY3IzdA== s3cr3t",
                "auth s3cr3t",
                "auth user:s3cr3t",
                "POST /write?db=a&u=b&p=s3cr3t HTTP/1.1",
                "GET /x?token=s3cr3t&a=b",
                "{\"password\": \"s3cr3t\", \"a\": 1}",
                "{\"headers\":{\"Authorization\":\"Bearer s3cr3t\"}}",
                "m,password=s3cr3t f=1",
                "url=http://user:s3cr3t@host/",
                "X-Api-Key: s3cr3t",
                "Cookie: a=b; session=s3cr3t",
                "bearer s3cr3t"
            })
    void hidesSecrets(String text) {
        assertThat(of(text)).doesNotContain("s3cr3t").doesNotContain("czNjcjN0").contains("***");
    }

    @Test
    void keepsWhatIsNoSecret() {
        assertThat(of("collectd.web1.load 1.5 1700000000")).isEqualTo("collectd.web1.load 1.5 1700000000");
        assertThat(of("température=5")).isEqualTo("température=5");
        assertThat(RejectedText.of("time outside range 1970 to 2262", 100))
                .isEqualTo("time outside range 1970 to 2262");
    }

    @Test
    void escapesWhatWouldChangeATerminalOrTheNextLine() {
        assertThat(of("a\u001b[31m\n2026 WARN forged\t\\")).isEqualTo("a\\u001b[31m\\n2026 WARN forged\\t\\\\");
        assertThat(of("a\u202eb\u2028c\u0085")).isEqualTo("a\\u202eb\\u2028c\\u0085");
        byte[] binary = {0, 0, 0, 9, (byte) 0xFF};
        assertThat(RejectedText.of(binary, binary.length)).isEqualTo("\\u0000\\u0000\\u0000\\tÿ");
    }

    @Test
    void cutsLongText() {
        assertThat(of("x".repeat(1_000))).hasSize(RejectedText.LENGTH_MAX + 1).endsWith("…");
    }
}
