package io.chimera.dataset.format.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimeFormatTest {
    private static long parse(String format, String text) {
        byte[] bytes = ("<" + text + ">").getBytes(UTF_8);
        return TimeFormat.of(format, ZoneOffset.UTC).parse(bytes, 1, bytes.length - 1);
    }

    @ParameterizedTest
    @CsvSource({
        "s, 1700000000, 1700000000000000000",
        "s, 1700000000.5, 1700000000500000000",
        "s, 0.0000000019, 1",
        "ms, 1700000000123, 1700000000123000000",
        "ms, 1.000001, 1000001",
        "us, -1, -1000",
        "ns, 9223372036854775807, 9223372036854775807",
        "iso, 2024-01-01T00:00:00Z, 1704067200000000000",
        "iso, 2024-01-01T01:00:00.123456789+01:00, 1704067200123456789",
        "iso, 2024-01-01T00:00:00, 1704067200000000000",
        "dd/MMM/yyyy:HH:mm:ss Z, 01/Jan/2024:00:00:00 +0000, 1704067200000000000",
        "yyyy-MM-dd, 2024-01-01, 1704067200000000000"
    })
    void readsTimes(String format, String text, long expected) {
        assertThat(parse(format, text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "s, ''",
        "s, -",
        "s, 1.",
        "s, .5",
        "s, 1e9",
        "s, 1x",
        "s, 1.x",
        "s, 9223372036.9",
        "s, 99999999999",
        "ns, 9223372036854775808",
        "ns, 99999999999999999999",
        "iso, 2024-13-01T00:00:00Z",
        "iso, 3000-01-01T00:00:00Z",
        "HH:mm, 10:00"
    })
    void refusesOtherText(String format, String text) {
        assertThat(parse(format, text)).isEqualTo(TimeFormat.NO_TIME);
    }

    @Test
    void usesTheZoneForTimesWithoutAZone() {
        byte[] text = "2024-01-01 01:00".getBytes(UTF_8);
        TimeFormat format = TimeFormat.of("yyyy-MM-dd HH:mm", ZoneId.of("Europe/Berlin"));
        assertThat(format.parse(text, 0, text.length)).isEqualTo(1704067200000000000L);
    }

    @Test
    void refusesABadPattern() {
        assertThatThrownBy(() -> TimeFormat.of("{", ZoneOffset.UTC)).isInstanceOf(IllegalArgumentException.class);
    }
}
