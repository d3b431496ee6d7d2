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

final class OpenTsdbJsonParserTest {
    private static final String GOOD = "{'metric':'m','timestamp':1,'value':1}";

    private final OpenTsdbJsonParser parser = new OpenTsdbJsonParser();

    private RecordingSink parse(String text) {
        return RecordingSink.of(parser, text.replace('\'', '"'));
    }

    private DataPoint point(String text) {
        RecordingSink sink = parse(text);
        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).hasSize(1);
        return sink.points.get(0);
    }

    @Test
    void readsAllPartsOfAPoint() {
        DataPoint point = point("{'metric':'sys.cpu.nice','timestamp':1346846400,'value':18,"
                + "'tags':{'host':'web01','gr\\u00f6\\\\e':'\\ud83d\\ude00 a'},'tsuid':[1,{}]}");

        assertThat(point.key().metric()).isEqualTo("sys.cpu.nice");
        assertThat(point.key().tags().asMap()).containsExactly(entry("grö\\e", "😀 a"), entry("host", "web01"));
        assertThat(point.fields()).containsExactly(entry("value", 18L));
        assertThat(point.timeNs()).isEqualTo(1_346_846_400_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "1346846400, 1346846400000",
        "9223372034, 9223372034000",
        "10000000000, 10000000000",
        "1346846400123, 1346846400123",
        "1346846400.123, 1346846400123",
        "'\"1346846400\"', 1346846400000",
    })
    void tellsSecondsFromMillisecondsByTheirDigits(String time, long timeMs) {
        assertThat(point("{'metric':'m','timestamp':" + time + ",'value':1}").timeNs())
                .isEqualTo(timeMs * 1_000_000);
    }

    @Test
    void acceptsValuesAsNumbersAndAsText() {
        assertThat(parse("[" + GOOD.replace(":1}", ":1.5}") + "," + GOOD.replace(":1}", ":'42'}") + ","
                                + GOOD.replace(":1}", ":'-4.2e1'}") + "]")
                        .points)
                .extracting(point -> point.fields().get("value"))
                .containsExactly(1.5, 42L, -42.0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{} | missing metric",
                "{'metric':'','timestamp':1,'value':1} | missing metric",
                "{'metric':null,'timestamp':1,'value':1} | missing metric",
                "{'metric':'m','value':1} | missing time",
                "{'metric':'m','timestamp':'soon','value':1} | invalid time: a number of seconds or milliseconds is expected",
                "{'metric':'m','timestamp':1e9,'value':1} | invalid time: a number of seconds or milliseconds is expected",
                "{'metric':'m','timestamp':-1,'value':1} | time outside range 1970 to 2262",
                "{'metric':'m','timestamp':99999999999999999999,'value':1} | time out of range",
                "{'metric':'m','timestamp':1} | missing value",
                "{'metric':'m','timestamp':1,'value':{'a':1}} | missing value",
                "{'metric':'m','timestamp':1,'value':'NaN'} | invalid value: a number is expected",
                "{'metric':'m','timestamp':1,'value':true} | invalid value: a number is expected",
                "{'metric':'m','timestamp':1,'value':1e999} | value is NaN or infinite",
                "{'metric':'m','timestamp':1,'value':1,'tags':[]} | tags must be an object of names and values that are not empty",
                "{'metric':'m','timestamp':1,'value':1,'tags':{'a':''}} | tags must be an object of names and values that are not empty",
                "{'metric':'m','timestamp':1,'value':1,'tags':{'a':null}} | tags must be an object of names and values that are not empty",
                "{'metric':'m','timestamp':1,'value':1,'tags':{'a':'1','a':'2'}} | duplicate tag",
                "'text' | a data point must be a JSON object",
            })
    void namesTheDefectOfADataPointAndKeepsTheOthers(String bad, String reason) {
        RecordingSink sink = parse("[" + GOOD + ", " + bad + ", " + GOOD + "]");

        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).containsExactly(new RecordingSink.Reject(2, reason, bad.replace('\'', '"')));
    }

    @Test
    void keepsThePointsBeforeABrokenDocument() {
        RecordingSink sink = parse("[" + GOOD + ",{'metric':");

        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).singleElement().satisfies(reject -> assertThat(reject.reason())
                .contains("invalid JSON"));
        assertThat(parse(GOOD + " x").rejects).hasSize(1);
        assertThat(parse("nonsense").rejects).hasSize(1);
        assertThat(parse(" ").rejects).hasSize(1);
        assertThat(parse("[]").rejects).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {"^ {'metric':'b'}]^ | {'metric':'b'}]", "^^ | ^^", "^ ^ | ^^", "^} , 7]^ | ^} , 7]^"})
    void namesTheRestAfterAPointThatWasStored(String rest, String text) {
        RecordingSink sink = parse("[" + GOOD + rest);

        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).singleElement().satisfies(reject -> {
            assertThat(reject.line()).isEqualTo(2);
            assertThat(reject.reason()).contains("invalid JSON");
            assertThat(reject.text()).isEqualTo(text.replace('\'', '"'));
        });
    }

    /** A document may be hostile: deep, with endless texts, with endless tags. */
    @Test
    void boundsDepthTextsAndTags() {
        String deep = "{'metric':'m','timestamp':1,'value':1,'more':" + "[".repeat(100_000);
        assertThat(parse(deep).rejects).hasSize(1);
        String escapes = GOOD.replace("'m'", "'" + "\\u0041".repeat(100_000) + "'");
        assertThat(parse(escapes).rejects).singleElement().satisfies(reject -> assertThat(reject.reason())
                .contains("longer than 64 KiB"));
        String plain = GOOD.replace("'m'", "'" + "x".repeat(200_000) + "'");
        assertThat(parse(plain).rejects).hasSize(1);
        StringBuilder tags = new StringBuilder("'t0':'v'");
        for (int i = 1; i < 100_000; i++) {
            tags.append(",'t").append(i).append("':'v'");
        }
        RecordingSink sink = parse("[" + GOOD.replace("}", ",'tags':{" + tags + "}}") + "," + GOOD + "]");
        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).singleElement().satisfies(reject -> assertThat(reject.reason())
                .isEqualTo("more than 64 tags"));
    }

    @Test
    void readsRandomDocumentsAsATreeDoes() {
        Random random = new Random(7);
        String[] pieces = {
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"metric\":\"m\"",
            "\"timestamp\":1",
            "\"value\":2.5",
            "\"tags\":{\"a\":\"b\"}",
            "{\"metric\":\"m\",\"timestamp\":1,\"value\":2,\"tags\":{",
            "\"c\":\"d\\n\"",
            "}}",
            "\"\\u00e4\":3",
            "null",
            "{\"metric\":\"a\",\"timestamp\":\"12345678901\",\"value\":\"7\"}",
            "true",
            "-1",
            " ",
            "\"x\"",
            "[{"
        };
        for (int round = 0; round < 20_000; round++) {
            OpenTsdbOracle.check(RandomPieces.text(random, pieces));
        }
    }

    @Test
    void allocatesNothing() {
        byte[] text = ("["
                        + "{\"metric\":\"m\",\"timestamp\":1346846400,\"value\":1.5,\"tags\":{\"h\\u00e4\":\"a\"}},"
                                .repeat(50)
                        + "{\"metric\":\"bad\"}]")
                .getBytes(StandardCharsets.UTF_8);
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
