package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Chunk;
import io.chimera.common.metrics.AllocatedBytes;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OpenTsdbTelnetParserTest {
    private final OpenTsdbTelnetParser parser = new OpenTsdbTelnetParser();

    private RecordingSink parse(String text) {
        return RecordingSink.of(parser, text);
    }

    private DataPoint point(String line) {
        RecordingSink sink = parse(line);
        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).hasSize(1);
        return sink.points.get(0);
    }

    @Test
    void readsAllPartsOfAPoint() {
        DataPoint point = point("put sys.cpu.user 1356998400 42.5 host=webserver01 cpu=\"0\"\n");

        assertThat(point.key().metric()).isEqualTo("sys.cpu.user");
        assertThat(point.key().tags().asMap()).containsExactly(entry("cpu", "\"0\""), entry("host", "webserver01"));
        assertThat(point.fields()).containsExactly(entry("value", 42.5));
        assertThat(point.timeNs()).isEqualTo(1_356_998_400_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "put,  1356998400, 1356998400000",
        "put,  1356998400123, 1356998400123",
        "put,  1356998400.123, 1356998400123",
        "putm, 1356998400, 1356998400",
        "put,  0, 0",
    })
    void tellsSecondsFromMillisecondsByTheirDigits(String command, String time, long timeMs) {
        assertThat(point(command + " m " + time + " 1 a=b").timeNs()).isEqualTo(timeMs * 1_000_000);
    }

    @Test
    void valueWithoutAPointIsALong() {
        assertThat(point("put m 1 -5 a=b").fields().get("value")).isEqualTo(-5L);
        assertThat(point("put m 1 +5").fields().get("value")).isEqualTo(5L);
        assertThat(point("put m 1 5e0").fields().get("value")).isEqualTo(5.0);
    }

    @Test
    void passesOverCommandsWithAnAnswerAndEndsAtExit() {
        RecordingSink sink = new RecordingSink();
        byte[] text = "version\r\n\nstats\nhelp\nput m 1 2\nexit\nput m 1 3\n".getBytes(StandardCharsets.UTF_8);
        Chunk chunk = new Chunk().restart(1).wrap(text, 0, text.length, false);

        assertThat(parser.parse(chunk, sink)).isTrue();

        assertThat(chunk.isAbandoned()).isTrue();
        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "diediedie | unknown command: put, putm, version, stats, help or exit is expected",
                "puts m 1 text | unknown command: put, putm, version, stats, help or exit is expected",
                "put | missing metric: put <metric> <time> <value> <tag>=<value> is expected",
                "put m | missing time",
                "put m 1 | missing value",
                "put m x 1 a=b | invalid time: a number of seconds or milliseconds is expected",
                "put m 1.x 1 a=b | invalid time: a number of seconds or milliseconds is expected",
                "putm m 1.5 1 a=b | invalid time: an integer is expected",
                "put m 99999999999999999999 1 a=b | time out of range",
                "put m 9999999999 1 a=b | time out of range",
                "put m -1 1 a=b | time outside range 1970 to 2262",
                "put m 1 x a=b | invalid value: a number is expected",
                "put m 1 +-1 a=b | invalid value: a number is expected",
                "put m 1 nan a=b | invalid value: a number is expected",
                "put m 1 1e999 a=b | value is NaN or infinite",
                "put m 1 2 a | a tag must be in the format name=value",
                "put m 1 2 =b | tag name may not be empty",
                "put m 1 2 a= | tag value may not be empty",
                "put m 1 2 a=b a=c | duplicate tag",
            })
    void namesTheDefect(String line, String reason) {
        RecordingSink sink = parse("put m 1 1 a=b\n" + line + "\nput m 2 2 a=b");

        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).containsExactly(new RecordingSink.Reject(2, reason, line));
    }

    @Test
    void boundsLinesAndTags() {
        String endless = "put m 1 1 a=" + "x".repeat(1 << 18);
        RecordingSink sink = new RecordingSink();
        ChunkFeeder feeder = new ChunkFeeder(new Random(1));
        feeder.feed(parser, sink, (endless + "\nput m 1 1 a=b\n").getBytes(StandardCharsets.US_ASCII), 3000, false);
        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).hasSize(1);
        assertThat(feeder.heldMax).isLessThan(70_000);
        StringBuilder tags = new StringBuilder("put m 1 1");
        for (int i = 0; i < 1_000; i++) {
            tags.append(" t").append(i).append("=v");
        }
        assertThat(parse(tags.toString()).rejects).singleElement().satisfies(reject -> assertThat(reject.reason())
                .isEqualTo("more than 64 tags"));
    }

    @Test
    void allocatesNothing() {
        byte[] text = "put load 1400000000 42 host=a zone=eu\nputm load 1400000000000 1.25 host=a\nput bad\nversion\n"
                .repeat(25)
                .getBytes(StandardCharsets.US_ASCII);
        Chunk chunk = new Chunk();
        CountingSink sink = new CountingSink();

        assertThat(AllocatedBytes.of(() -> {
                    chunk.restart(1).wrap(text, 0, text.length, true);
                    if (!parser.parse(chunk, sink)) {
                        throw new AssertionError("There is room.");
                    }
                }))
                .isZero();
        assertThat(sink.rejects).isPositive();
    }
}
