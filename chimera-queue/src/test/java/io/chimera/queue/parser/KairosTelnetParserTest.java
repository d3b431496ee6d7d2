package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Chunk;
import io.chimera.common.metrics.AllocatedBytes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KairosTelnetParserTest {
    private final KairosTelnetParser parser = new KairosTelnetParser();

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
        DataPoint point = point("put load.1m 1400000000 42 host=a zone=eu:1\n");

        assertThat(point.key().metric()).isEqualTo("load.1m");
        assertThat(point.key().tags().asMap()).containsExactly(entry("host", "a"), entry("zone", "eu:1"));
        assertThat(point.fields()).containsExactly(entry("value", 42L));
        assertThat(point.timeNs()).isEqualTo(1_400_000_000_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "put,  2999999999, 2999999999000",
        "put,  3000000000, 3000000000",
        "put,  1400000000123, 1400000000123",
        "putm, 1400000000, 1400000000",
        "putm, 0, 0",
        "put,  0, 0",
    })
    void tellsSecondsFromMillisecondsByTheirSize(String command, long time, long timeMs) {
        assertThat(point(command + " m " + time + " 1 a=b").timeNs()).isEqualTo(timeMs * 1_000_000);
    }

    @Test
    void valueWithAPointIsADouble() {
        assertThat(point("put m 1 -9223372036854775808 a=b").fields().get("value"))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(point("put m 1 1.0 a=b").fields().get("value")).isEqualTo(1.0);
        assertThat(point("put m 1 -.5e3 a=b").fields().get("value")).isEqualTo(-500.0);
        assertThat(point("puts m 1 \"some text\" a=b").fields().get("value")).isEqualTo("some text");
    }

    @Test
    void wordsMayStandInQuotes() {
        DataPoint point = point("put  \"a metric\"\t1 2 \"host name=a\"b\"c\" \"x=y\"");

        assertThat(point.key().metric()).isEqualTo("a metric");
        assertThat(point.key().tags().asMap()).containsExactly(entry("host name", "a\"b\"c"), entry("x", "y"));
    }

    @Test
    void takesPointsWithoutTagsAndDropsTheTimeToLive() {
        assertThat(point("put m 1 2").key().tags().asMap()).isEmpty();
        assertThat(point("put m 1 2 kairos_opt.ttl=60 a=b").key().tags().asMap())
                .containsExactly(entry("a", "b"));
    }

    @Test
    void passesOverBlankLinesAndCommandsThatAskForAnAnswer() {
        RecordingSink sink = parse("version\r\n\r\n  \nput m 1 2 a=b\r\nhelp me\nquit");

        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).hasSize(1);
        assertThat(sink.points.get(0).key().tags().get("a")).isEqualTo("b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "get m | unknown command: put, putm or puts is expected",
                "put | missing metric: put <metric> <time> <value> <tag>=<value> is expected",
                "put m | missing time",
                "put m 1 | missing value",
                "put m x 1 a=b | invalid time: an integer is expected",
                "put m 1.5 1 a=b | invalid time: an integer is expected",
                "put m 99999999999999999999 1 a=b | time out of range",
                "put m 9223372036855 1 a=b | time out of range",
                "put m -1 1 a=b | time outside range 1970 to 2262",
                "put m 1 x a=b | invalid value: a number is expected",
                "put m 1 NaN a=b | invalid value: a number is expected",
                "put m 1 9223372036854775808 a=b | invalid value: a number is expected",
                "put m 1 1.0e999 a=b | value is NaN or infinite",
                "put m 1 2 a | a tag must be in the format name=value",
                "put m 1 2 a=b=c | a tag must be in the format name=value",
                "put m 1 2 =b | tag name may not be empty",
                "put m 1 2 a= | tag value may not be empty",
                "put m 1 2 a=b a=c | duplicate tag",
                "put m 1 2 kairos_opt.ttl=x | tag kairos_opt.ttl must be a number",
            })
    void saysWhatIsWrong(String line, String reason) {
        RecordingSink sink = parse("put m 1 1 a=b\n" + line + "\nput m 2 2 a=b");

        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).containsExactly(new RecordingSink.Reject(2, reason, line));
    }

    @Test
    void refusesLinesThatAreNotUtf8() {
        byte[] text = "put m 1 1 a=\u00fc\nput m 1 1 a=b".getBytes(StandardCharsets.ISO_8859_1);
        RecordingSink sink = RecordingSink.of(parser, text, 1);

        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects.get(0).reason()).isEqualTo("not UTF-8");
        assertThat(point("put m 1 1 a=\u00fc").key().tags().asMap()).isEqualTo(Map.of("a", "\u00fc"));
    }

    @Test
    void refusesEndlessLineOnce() {
        String endless = "put m 1 1 a=" + "x".repeat(1 << 18);
        RecordingSink sink = new RecordingSink();
        new ChunkFeeder(new Random(1))
                .feed(parser, sink, (endless + "\nput m 1 1 a=b\n").getBytes(StandardCharsets.US_ASCII), 3000, false);

        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).hasSize(1);
    }

    @Test
    void givesTheSameWhateverTheChunks() {
        Random random = new Random(4);
        String[] pieces = {
            "put",
            "putm",
            "puts",
            " m",
            " 1",
            " 2.5",
            " a=b",
            " \"",
            "=",
            "\n",
            "\r\n",
            " ",
            "x",
            "\u00e4",
            "version",
            "\nput m 1 2 c=d\n"
        };
        for (int round = 0; round < 3_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(40); i >= 0; i--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            RecordingSink whole = RecordingSink.of(new KairosTelnetParser(), bytes, 1);
            RecordingSink cut = new RecordingSink();
            new ChunkFeeder(random).feed(new KairosTelnetParser(), cut, bytes, 1 + random.nextInt(20), true);

            assertThat(cut.points).as(text.toString()).isEqualTo(whole.points);
            assertThat(cut.rejects).as(text.toString()).isEqualTo(whole.rejects);
        }
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
