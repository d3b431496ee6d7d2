package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Chunk;
import io.chimera.common.config.StatsdConfig;
import io.chimera.common.config.StatsdConfig.RelativeGauges;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StatsdParserTest {
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final StatsdParser parser = new StatsdParser(new StatsdConfig(RelativeGauges.REJECT), counters);

    private List<DataPoint> points(String text) {
        RecordingSink sink = RecordingSink.of(parser, text);
        assertThat(sink.rejects).isEmpty();
        return sink.points;
    }

    private DataPoint point(String line) {
        return points(line).get(0);
    }

    @Test
    void readsAllPartsOfAMetric() {
        DataPoint point = point("users.online:4|c|@0.5|#country:größe:1,flag,|c:ci-123|e:x|T1700000000\n");

        assertThat(point.key().metric()).isEqualTo("users.online");
        assertThat(point.key().tags().asMap()).containsExactly(entry("country", "größe:1"), entry("flag", "true"));
        assertThat(point.fields()).containsExactly(entry("delta", 8.0));
        assertThat(point.timeNs()).isEqualTo(1_700_000_000_000_000_000L);
        assertThat(point("a:1|c").timeNs()).isEqualTo(RecordingSink.ARRIVAL_NS);
    }

    @ParameterizedTest
    @CsvSource({
        "3|c, delta, 3.0",
        "1|c|@0.1, delta, 10.0",
        "-2|c, delta, -2.0",
        "0.5|g, value, 0.5",
        "320|ms, value, 320.0",
        "320|ms|@0.1, value, 320.0",
        "1e3|h, value, 1000.0",
        "5|d|#, value, 5.0",
    })
    void namesTheFieldByTheType(String text, String field, double value) {
        assertThat(point("m:" + text).fields()).containsExactly(entry(field, value));
    }

    @Test
    void aSetHasTexts() {
        assertThat(point("m:fe80::1|s").fields()).containsExactly(entry("set", "fe80::1"));
    }

    @Test
    void eachValueOfALineIsAPoint() {
        assertThat(points("m:1:2.5:-3|ms|#a:b"))
                .extracting(point -> point.fields().get("value"))
                .containsExactly(1.0, 2.5, -3.0);
    }

    @Test
    void aNameWithTagsAndTheSameNameWithoutTagsAreDifferentSeries() {
        RecordingSink sink = RecordingSink.knowing();
        byte[] text = "m:1|c\nm:2|c|#a:b\nm:3|c\nm:4|c|#a:c\n".repeat(2).getBytes(StandardCharsets.US_ASCII);

        sink.take(parser, text, 1);

        assertThat(sink.points)
                .extracting(point ->
                        point.key().tags().asMap().toString() + point.fields().get("delta"))
                .startsWith("{}1.0", "{a=b}2.0", "{}3.0", "{a=c}4.0", "{}1.0");
    }

    @Test
    void aGaugeWithASignIsRelative() {
        assertThat(RecordingSink.of(parser, "m:-5|g\nm:+5|g").rejects).hasSize(2);
        assertThat(RecordingSink.of(StatsdOracle.parser(RelativeGauges.DELTA), "m:-5|g")
                        .points
                        .get(0)
                        .fields())
                .containsExactly(entry("delta", -5.0));
        assertThat(RecordingSink.of(StatsdOracle.parser(RelativeGauges.ABSOLUTE), "m:-5|g")
                        .points
                        .get(0)
                        .fields())
                .containsExactly(entry("value", -5.0));
    }

    @Test
    void countsEventsAndChecksAndDropsThem() {
        assertThat(points("_e{5,4}:title|text|#a:b\n_sc|up|0|m:all fine\nm:1|c\n"))
                .hasSize(1);
        assertThat(counters.get(QueueCounter.PARSER_STATSD_OTHERS)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "m; missing value",
                "m|c; missing value",
                "m:|c; missing value",
                ":1|c; missing metric",
                "m:1; unknown type: c, g, ms, h, d or s is expected",
                "m:1|; unknown type: c, g, ms, h, d or s is expected",
                "m:1|x; unknown type: c, g, ms, h, d or s is expected",
                "m:x|c; invalid value: a number is expected",
                "m:nan|g; value is NaN or infinite",
                "m:1e300|c|@1e-300; value is NaN or infinite",
                "m:1|c|@0; invalid sample rate: a number above 0 and up to 1 is expected",
                "m:1|c|@2; invalid sample rate: a number above 0 and up to 1 is expected",
                "m:1|c|@x; invalid sample rate: a number above 0 and up to 1 is expected",
                "m:1|c|Tsoon; invalid time: a number of seconds or milliseconds is expected",
                "m:1|c|T-5; invalid time: a number of seconds or milliseconds is expected",
                "m:1|c|?; unknown section: @rate, #tags or Ttime is expected",
                "m:1|c|; unknown section: @rate, #tags or Ttime is expected",
                "m:1|c|#:b; tag name may not be empty",
                "m:1|c|#a:; tag value may not be empty",
                "m:1|c|#a:b,a:c; duplicate tag",
            })
    void namesTheDefect(String line, String reason) {
        RecordingSink sink = RecordingSink.of(parser, "m:1|c\n" + line + "\nm:2|c");

        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).containsExactly(new RecordingSink.Reject(2, reason, line));
    }

    @Test
    void boundsLinesTagsAndValues() {
        RecordingSink sink = new RecordingSink();
        ChunkFeeder feeder = new ChunkFeeder(new Random(1));
        byte[] endless = ("m:1|c|#" + "a".repeat(1 << 18) + "\nm:1|c\n").getBytes(StandardCharsets.US_ASCII);
        feeder.feed(parser, sink, endless, 3000, false);
        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).hasSize(1);
        assertThat(feeder.heldMax).isLessThan(70_000);
        StringBuilder tags = new StringBuilder("m:1|c|#t:v");
        for (int i = 0; i < 1_000; i++) {
            tags.append(",t").append(i).append(":v");
        }
        assertThat(RecordingSink.of(parser, tags.toString()).rejects)
                .singleElement()
                .satisfies(reject -> assertThat(reject.reason()).isEqualTo("more than 64 tags"));
    }

    @Test
    void rejectsALineOnceForItsValuesAboveTheLimit() {
        assertThat(points("m" + ":1".repeat(1_024) + "|c")).hasSize(1_024);
        String line = "m" + ":1".repeat(30_000) + "|c|#a:b";

        RecordingSink sink = RecordingSink.of(parser, line + "\nm:1|c");

        assertThat(sink.points).hasSize(1_025);
        assertThat(sink.rejects)
                .containsExactly(new RecordingSink.Reject(
                        1, "more than 1,024 values in a line: only the first 1,024 are stored", line));
    }

    @Test
    void rejectsABadValueOfSeveralWithTheNameOnly() {
        String name = "n".repeat(10_000);
        RecordingSink sink = RecordingSink.of(parser, "m:x:1:nan|g|#a:b\n" + name + ":x:1|c\n");

        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).extracting(RecordingSink.Reject::text).startsWith("m:x", "m:nan");
        assertThat(sink.rejects.get(2).text()).isEqualTo(name.substring(0, 2_048) + ":x");
        assertThat(RecordingSink.of(parser, "m:1:2|c|#:b").rejects)
                .extracting(RecordingSink.Reject::text)
                .containsExactly("m:1", "m:2");
    }

    @Test
    void asksForRoomForTheValuesOfFlags() {
        int[] room = new int[1];
        RecordingSink sink = new RecordingSink() {
            @Override
            public boolean begin(int textLength) {
                room[0] = textLength;
                return super.begin(textLength);
            }
        };

        sink.take(parser, "m:1|c|#a,b,c:d".getBytes(StandardCharsets.US_ASCII), 1);

        String texts = "m" + "a" + "true" + "b" + "true" + "c" + "d" + "1";
        assertThat(room[0]).isGreaterThanOrEqualTo(texts.length());
    }

    /** The quota of a sender counts consumed lines. */
    @Test
    void countsTheValuesOfALine() {
        byte[] text = "m:1:x:3|c\n_sc|up|0\nbad\nm:1:2|c".getBytes(StandardCharsets.US_ASCII);
        Chunk chunk = new Chunk().restart(1).wrap(text, 0, text.length, true);

        parser.parse(chunk, new RecordingSink());

        assertThat(chunk.isEmpty()).isTrue();
        assertThat(chunk.line()).isEqualTo(1 + 3 + 1 + 1 + 1);
    }

    @Test
    void readsRandomLinesAsASimpleReaderDoes() {
        Random random = new Random(9);
        String[] pieces = {
            "m",
            ".n",
            ":",
            ":1",
            ":2.5",
            ":-3",
            ":nan",
            "|",
            "|c",
            "|g",
            "|ms",
            "|h",
            "|s",
            "|d",
            "|@0.5",
            "|@",
            "|#a:b",
            ",c:d",
            ",flag",
            "|T5",
            "|c:x",
            "\n",
            "\n",
            "\r\n",
            " ",
            "ä",
            "_e{",
            "_sc|",
            "\nm:1|c\n",
            "\nm:1:2|ms|#a:b\n"
        };
        for (int round = 0; round < 20_000; round++) {
            StatsdOracle.check(RandomPieces.text(random, pieces));
        }
    }

    @Test
    void allocatesNothing() {
        byte[] text = "page.views:1|c|@0.1\ntime:1:2.5|ms|#host:a,zone:b\nu:x|s\nbad\ng:-1|g\n_sc|up|0\n"
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
