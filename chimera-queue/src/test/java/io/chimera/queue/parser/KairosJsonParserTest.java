package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Chunk;
import io.chimera.common.metrics.AllocatedBytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KairosJsonParserTest {
    private static final long MS = 1_000_000;

    private final KairosJsonParser parser = new KairosJsonParser();

    private RecordingSink parse(String text) {
        return RecordingSink.of(parser, text, MS);
    }

    private static List<String> reasons(RecordingSink sink) {
        return sink.rejects.stream().map(RecordingSink.Reject::reason).toList();
    }

    /** Metric, tags, value and time in milliseconds of each point. */
    private static List<String> described(RecordingSink sink) {
        return sink.points.stream()
                .map(point -> point.key().metric() + point.key().tags().asMap()
                        + point.fields().get("value") + "@" + point.timeNs() / MS)
                .toList();
    }

    @Test
    void readsMetricsWithManyPoints() {
        RecordingSink sink = parse(
                "[{\"name\":\"a\",\"datapoints\":[[1,2],[3,4.5]],\"tags\":{\"host\":\"x\",\"zone\":\"y\"}},"
                        + "{\"tags\":{\"host\":\"z\"},\"name\":\"b\",\"type\":\"double\",\"ttl\":30,\"datapoints\":[[5,6]]}]");

        assertThat(sink.rejects).isEmpty();
        assertThat(described(sink)).containsExactly("a{host=x, zone=y}2@1", "a{host=x, zone=y}4.5@3", "b{host=z}6.0@5");
    }

    @Test
    void readsOneMetricWithOnePoint() {
        RecordingSink sink = parse(
                " {\"name\":\"a\",\"timestamp\":1400000000123,\"value\":7,\"tags\":{\"h\":\"x\"},\"datapoints\":[[1,2]]} ");

        assertThat(described(sink)).containsExactly("a{h=x}7@1400000000123", "a{h=x}2@1");
        assertThat(sink.rejects).isEmpty();
    }

    @Test
    void prefersTimeToTimestamp() {
        assertThat(described(parse("{\"name\":\"a\",\"time\":1,\"timestamp\":2,\"value\":7,\"tags\":{\"h\":\"x\"}}")))
                .containsExactly("a{h=x}7@1");
        assertThat(described(parse("{\"name\":\"a\",\"timestamp\":2,\"time\":1,\"value\":7,\"tags\":{\"h\":\"x\"}}")))
                .containsExactly("a{h=x}7@1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1,2] | Long | 2",
                "[1,-9223372036854775808] | Long | -9223372036854775808",
                "[1,2.0] | Double | 2.0",
                "[1,1e3] | Double | 1000.0",
                "[1,\"12\"] | Long | 12",
                "[1,\"0.000000\"] | Double | 0.0",
                "[1,\"The Value\"] | String | The Value",
                "[1,true] | String | true",
                "[1,\"12\",\"string\"] | String | 12",
                "[1,12,\"string\"] | String | 12",
                "[1,12,\"double\"] | Double | 12.0",
                "[1,\"12\",\"long\"] | Long | 12",
                "[\"1\",5] | Long | 5",
                "[1.0,5] | Long | 5",
                "[1,5,null] | Long | 5",
                "[1,5,\"long\",{\"more\":[]}] | Long | 5",
            })
    void givesValuesTheTypeThatKairosDbGivesThem(String point, String type, String value) {
        RecordingSink sink = parse("[{\"name\":\"a\",\"tags\":{\"h\":\"x\"},\"datapoints\":[" + point + "]}]");

        assertThat(sink.rejects).isEmpty();
        Object seen = sink.points.get(0).fields().get("value");
        assertThat(seen.getClass().getSimpleName()).isEqualTo(type);
        assertThat(seen).hasToString(value);
        assertThat(sink.points.get(0).timeNs()).isEqualTo(MS);
    }

    @Test
    void textMayBeEmptyWhereItsTypeSaysSo() {
        RecordingSink sink =
                parse("{\"name\":\"a\",\"timestamp\":1,\"value\":\"\",\"type\":\"string\",\"tags\":{\"h\":\"x\"}}");

        assertThat(sink.points.get(0).fields()).containsExactly(entry("value", ""));
    }

    /** The reasons have the wording of KairosDB's own tests. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"datapoints\":[[1,2]],\"tags\":{\"foo\":\"bar\"}} | metric[0].name may not be null.",
                "{\"name\":\"\",\"tags\":{\"foo\":\"bar\"},\"datapoints\":[[1,2]]} | metric[0].name may not be empty.",
                "{\"name\":\"m\",\"timestamp\":12,\"tags\":{\"foo\":\"bar\"}} | metric[0](name=m).value may not be null.",
                "{\"name\":\"m\",\"value\":12,\"tags\":{\"foo\":\"bar\"}} | metric[0](name=m).timestamp may not be null.",
                "{\"name\":\"m\",\"datapoints\":[[1,2]]} | metric[0](name=m).tags count must be greater than or equal to 1.",
                "{\"name\":\"m\",\"tags\":{\"\":\"bar\"},\"datapoints\":[[1,2]]} | metric[0](name=m).tag[0].name may not be empty.",
                "{\"name\":\"m\",\"tags\":{\"foo\":\"\"},\"datapoints\":[[1,2]]} | metric[0](name=m).tag[foo].value may not be empty.",
                "{\"name\":\"m\",\"tags\":{\"foo\":null},\"datapoints\":[[1,2]]} | metric[0](name=m).tag[foo].value may not be null.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[]]} | metric[0](name=m).datapoints[0].timestamp cannot be null or empty.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[2]]} | metric[0](name=m).datapoints[0].value cannot be null or empty.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[2,]]} | metric[0](name=m).datapoints[0].value may not be empty.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[,2]]} | metric[0](name=m).datapoints[0].timestamp may not be null.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,\"\"]]} | metric[0](name=m).datapoints[0].value may not be empty.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,{}]]} | metric[0](name=m).datapoints[0] value is an invalid type",
                "{\"name\":\"m\",\"timestamp\":1,\"value\":{},\"tags\":{\"a\":\"b\"}} | metric[0](name=m) value is an invalid type",
                // KairosDB answers these with status 500, or not at all
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[\"x\",1]]} | metric[0](name=m).datapoints[0].timestamp must be an integer.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[[],1]]} | metric[0](name=m).datapoints[0].timestamp must be an integer.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[9223372036855,1]]} | metric[0](name=m).datapoints[0].timestamp is out of range.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[-1,1]]} | metric[0](name=m).datapoints[0]: time outside range 1970 to 2262",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,1e999]]} | metric[0](name=m).datapoints[0]: value is NaN or infinite",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,5.5,\"long\"]]} | metric[0](name=m).datapoints[0].value must be a long.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,\"x\",\"double\"]]} | metric[0](name=m).datapoints[0].value must be a double.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,5,\"complex\"]]} | metric[0](name=m).datapoints[0].type is unknown: long, double or string is expected.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[7]} | metric[0](name=m).datapoints[0] must be an array of timestamp and value.",
                "{\"name\":\"m\",\"tags\":{\"a\":\"b\",\"a\":\"c\"},\"datapoints\":[[1,1]]} | metric[0](name=m).datapoints[0]: duplicate tag",
                "5 | metric[0] must be an object.",
                "null | metric[0] must be an object.",
                "[[{}]] | metric[0] must be an object.",
            })
    void saysWhatIsWrong(String metric, String reason) {
        String good = "{\"name\":\"g\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,2]]}";
        RecordingSink sink = parse("[" + metric + "," + good + "]");

        assertThat(reasons(sink)).containsExactly(reason);
        assertThat(described(sink)).containsExactly("g{a=b}2@1");
        assertThat(sink.rejects.get(0).line()).isEqualTo(1);
    }

    @Test
    void badPointsCostNoGoodOnes() {
        RecordingSink sink =
                parse("[{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,2],[2,{}],[3,4],5,[4],[5,6]]},{},"
                        + "{\"name\":\"n\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[7,8]]}]");

        assertThat(described(sink)).containsExactly("m{a=b}2@1", "m{a=b}4@3", "m{a=b}6@5", "n{a=b}8@7");
        assertThat(sink.rejects)
                .containsExactly(
                        new RecordingSink.Reject(
                                1, "metric[0](name=m).datapoints[1] value is an invalid type", "[2,{}]"),
                        new RecordingSink.Reject(
                                1, "metric[0](name=m).datapoints[3] must be an array of timestamp and value.", "5"),
                        new RecordingSink.Reject(
                                1, "metric[0](name=m).datapoints[4].value cannot be null or empty.", "[4]"),
                        new RecordingSink.Reject(2, "metric[1].name may not be null.", "{}"));
    }

    @Test
    void keepsTheTextOfABadMetric() {
        RecordingSink sink = parse("[ {\"name\":\"\", \"x\":[1,2]} , {}]");

        assertThat(sink.rejects.get(0).text()).isEqualTo("{\"name\":\"\", \"x\":[1,2]}");
        assertThat(sink.rejects.get(1).text()).isEqualTo("{}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  ",
                "[{\"name\":\"m\"",
                "[",
                "{",
                "[{]",
                "nonsense",
                "\"text\"",
                "17",
                "[{}}",
                "{\"name\":\u0001}"
            })
    void refusesWhatIsNoJson(String text) {
        RecordingSink sink = new RecordingSink();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Chunk chunk = new Chunk().restart(MS).wrap(bytes, 0, bytes.length, true);

        assertThat(parser.parse(chunk, sink)).isTrue();
        assertThat(chunk.isEmpty()).isTrue();
        assertThat(sink.points).isEmpty();
        assertThat(sink.rejects).hasSizeBetween(1, 2);
        assertThat(sink.rejects.get(sink.rejects.size() - 1).reason()).startsWith("Invalid ");
    }

    @Test
    void keepsTheMetricsAheadOfBrokenJson() {
        RecordingSink sink = parse("[{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,2]]},{\"name\":oops}]");

        assertThat(described(sink)).containsExactly("m{a=b}2@1");
        assertThat(reasons(sink)).hasSize(1);
        assertThat(reasons(sink).get(0)).startsWith("Invalid json at metric[1]: Unrecognized token 'oops'");
        assertThat(sink.rejects.get(0).text()).contains("{\"name\":oops}]");
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        byte[] bytes = "[{\"name\":\"m\u00fc\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,2]]}]"
                .getBytes(StandardCharsets.ISO_8859_1);
        RecordingSink sink = RecordingSink.of(parser, bytes, MS);

        assertThat(sink.points).isEmpty();
        assertThat(reasons(sink).get(0)).startsWith("Invalid json at metric[0]: Invalid UTF-8");
    }

    @Test
    void refusesDeepNesting() {
        RecordingSink sink = parse("[{\"x\":" + "[".repeat(1000) + "]".repeat(1000) + "}]");

        assertThat(reasons(sink)).hasSize(1);
        assertThat(reasons(sink).get(0)).contains("nesting depth");
    }

    @Test
    void refusesHeadsOfMoreThan64KiB() {
        String value = "x".repeat(40_000);
        RecordingSink sink = parse(
                "[{\"name\":\"m\",\"tags\":{\"a\":\"" + value + "\",\"b\":\"" + value + "\"},\"datapoints\":[[1,2]]}]");

        assertThat(reasons(sink))
                .containsExactly("metric[0](name=m) is too long: name and tags have more than 64 KiB.");
    }

    @Test
    void describesTheFirstHundredBadPointsOnly() {
        RecordingSink sink =
                parse("[{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[" + "[1],".repeat(149) + "[1]]}]");

        assertThat(sink.rejects).hasSize(150);
        assertThat(reasons(sink).get(99)).isEqualTo("metric[0](name=m).datapoints[99].value cannot be null or empty.");
        assertThat(reasons(sink).get(149)).isEqualTo(".value cannot be null or empty.");
    }

    @Test
    void unescapesAndKeepsUnicode() {
        DataPoint point = parse(
                        "{\"name\":\"\\u00fc\\n\u4f60\",\"timestamp\":1,\"value\":\"\\ud83d\\ude00 \\ud800\",\"tags\":{\"\\\"\":\"\ud83d\ude00\"}}")
                .points
                .get(0);

        assertThat(point.key().metric()).isEqualTo("\u00fc\n\u4f60");
        assertThat(point.key().tags().asMap()).isEqualTo(Map.of("\"", "\ud83d\ude00"));
        assertThat(point.fields()).containsExactly(entry("value", "\ud83d\ude00 \ufffd"));
    }

    @Test
    void waitsForTheWholeDocument() {
        byte[] bytes = "[{\"name\":\"m\"".getBytes(StandardCharsets.UTF_8);
        Chunk chunk = new Chunk().restart(MS).wrap(bytes, 0, bytes.length, false);
        RecordingSink sink = new RecordingSink();

        assertThat(parser.parse(chunk, sink)).isTrue();
        assertThat(chunk.offset()).isZero();
        assertThat(sink.rejects).isEmpty();
    }

    @Test
    void goesOnWhereTheSinkHadNoRoom() {
        Random random = new Random(8);
        String text =
                "[{\"name\":\"m\",\"timestamp\":9,\"value\":1,\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,2],[2,{}],[3,4]]},{},"
                        + "{\"datapoints\":[[7,8],[8,9]],\"name\":\"n\",\"tags\":{\"a\":\"b\"}}]";
        RecordingSink whole = parse(text);
        for (int round = 0; round < 200; round++) {
            RecordingSink sink = new RecordingSink();
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            Chunk chunk = new Chunk().restart(MS).wrap(bytes, 0, bytes.length, true);
            int calls = 0;
            sink.giveRoom(0);
            while (!parser.parse(chunk, sink)) {
                sink.giveRoom(random.nextInt(3));
                calls++;
            }
            assertThat(calls).isPositive();
            assertThat(sink.points).isEqualTo(whole.points);
            assertThat(sink.rejects).isEqualTo(whole.rejects);
        }
    }

    @Test
    void forgetsAnUnfinishedDocumentOnReset() {
        RecordingSink sink = new RecordingSink();
        sink.giveRoom(0);
        byte[] bytes =
                "{\"name\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"}}".getBytes(StandardCharsets.UTF_8);
        assertThat(parser.parse(new Chunk().restart(MS).wrap(bytes, 0, bytes.length, true), sink))
                .isFalse();

        parser.reset();

        assertThat(parse("{\"name\":\"n\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"}}").points)
                .hasSize(1);
    }

    /** A document costs two readers, a point costs nothing. */
    @Test
    void allocatesNothingPerPoint() {
        long few = allocatedBy(10);
        long many = allocatedBy(300);

        assertThat(few).isPositive();
        assertThat(many).isLessThanOrEqualTo(few + few / 10);
    }

    private long allocatedBy(int points) {
        StringBuilder text =
                new StringBuilder("[{\"name\":\"m\",\"tags\":{\"host\":\"a\",\"zone\":\"b\"},\"datapoints\":[");
        for (int i = 0; i < points; i++) {
            text.append(i > 0 ? "," : "")
                    .append("[")
                    .append(1_400_000_000_000L + i)
                    .append(",")
                    .append(i % 2 == 0 ? "12.25" : "\"7\"")
                    .append("]");
        }
        byte[] bytes = text.append("]}]").toString().getBytes(StandardCharsets.UTF_8);
        Chunk chunk = new Chunk();
        CountingSink sink = new CountingSink();
        return AllocatedBytes.of(() -> {
            chunk.restart(MS).wrap(bytes, 0, bytes.length, true);
            if (!parser.parse(chunk, sink)) {
                throw new AssertionError("There is room.");
            }
        });
    }
}
