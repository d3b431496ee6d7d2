package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.wire.BodyLayout;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InfluxLineParserTest {
    private static final int KIBIBYTES_64 = BodyLayout.TEXT_LENGTH_MAX;

    private final InfluxLineParser parser = new InfluxLineParser();

    private RecordingSink parse(String text) {
        return RecordingSink.of(parser, text);
    }

    private DataPoint point(String line) {
        RecordingSink sink = parse(line);
        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).hasSize(1);
        return sink.points.get(0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void readsAllPartsOfAPoint() {
        DataPoint point = point(
                "cpu,host=a,zone=eu\\ 1 usage=12.5,n=-3i,u=18446744073709551615u,ok=T,text=\"a \\\"b\\\"\" 1700000000000000001\n");

        assertThat(point.key().metric()).isEqualTo("cpu");
        assertThat(point.key().tags().asMap()).containsExactly(entry("host", "a"), entry("zone", "eu 1"));
        assertThat(point.fields())
                .containsExactly(
                        entry("usage", 12.5),
                        entry("n", -3L),
                        entry("u", new BigInteger("18446744073709551615")),
                        entry("ok", true),
                        entry("text", "a \"b\""));
        assertThat(point.timeNs()).isEqualTo(1_700_000_000_000_000_001L);
    }

    @Test
    void unescapesOnlyWhatIsAnEscape() {
        DataPoint point = point("a\\ b\\,c\\=d\\e,t\\=\\,\\ \\x=v\\=\\\\\\\\y f\\=\\ =\"\\\\ \\n \\\" \\\"\",g=1");

        assertThat(point.key().metric()).isEqualTo("a b,c\\=d\\e");
        assertThat(point.key().tags().asMap()).containsExactly(entry("t=, \\x", "v=\\\\\\\\y"));
        assertThat(point.fields()).containsExactly(entry("f= ", "\\ \\n \" \""), entry("g", 1.0));
    }

    @Test
    void takesUnitOfTimestampsFromTheChunk() {
        assertThat(RecordingSink.of(parser, "m f=1 1700000000", 1_000_000_000L)
                        .points
                        .get(0)
                        .timeNs())
                .isEqualTo(1_700_000_000_000_000_000L);
        assertThat(RecordingSink.of(parser, "m f=1 9223372036854", 1_000_000L)
                        .points
                        .get(0)
                        .timeNs())
                .isEqualTo(9_223_372_036_854_000_000L);
        assertThat(RecordingSink.of(parser, "m f=1 9223372036855", 1_000_000L)
                        .rejects
                        .get(0)
                        .reason())
                .contains("timestamp out of range", "precision ms");
        assertThat(RecordingSink.of(parser, "m f=1 -1", 1_000_000L)
                        .rejects
                        .get(0)
                        .reason())
                .isEqualTo("time outside range 1970 to 2262");
    }

    @Test
    void roundsTheTimeOfArrivalDownToTheUnit() {
        assertThat(point("m f=1").timeNs()).isEqualTo(RecordingSink.ARRIVAL_NS);
        assertThat(RecordingSink.of(parser, "m f=1", 1_000_000_000L)
                        .points
                        .get(0)
                        .timeNs())
                .isEqualTo(1_700_000_000_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ",a=b f=1 | missing metric",
                "m | missing fields",
                "m,a=b | missing fields",
                "m,=b f=1 | missing tag name",
                "m,a f=1 | missing tag value",
                "m,a= f=1 | missing tag value",
                "m,a=b=c f=1 | missing fields",
                "m =1 | missing field name",
                "m f | missing field value",
                "m f= | missing field value",
                "m f=1, | missing field name",
                "m f=1x | invalid number",
                "m f=1.5i | invalid number",
                "m f=-1u | invalid number",
                "m f=0x10 | invalid number",
                "m f=9223372036854775808i | number out of range",
                "m f=18446744073709551616u | number out of range",
                "m f=1e999 | value is NaN or infinite",
                "m f=NaN | invalid field value: a number, true, false or text in double quotes is expected",
                "m f=tRUE | invalid boolean: t, true, f or false is expected",
                "m f=\"a | missing closing quote",
                "m f=\"a\"b | comma, space or line end expected after a field",
                "m f=1 1x | invalid timestamp",
                "m f=1 1.5 | invalid timestamp",
                "m f=1 1 1 | line end expected after the timestamp",
                "m f=1 99999999999999999999 | timestamp out of range",
                "m,a=b,a=c f=1 | duplicate tag",
            })
    void saysWhatIsWrong(String line, String reason) {
        RecordingSink sink = parse("ok f=1\n" + line + "\nok f=2");

        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).containsExactly(new RecordingSink.Reject(2, reason, line));
    }

    @Test
    void passesOverBlankLinesAndComments() {
        RecordingSink sink = parse("\n\r\n  \n# a comment, with \"quotes\nm f=1\r\n   m f=2   \n#\n");

        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).extracting(DataPoint::fields).containsExactly(Map.of("f", 1.0), Map.of("f", 2.0));
    }

    @Test
    void countsLinesOverTextsWithLineFeeds() {
        RecordingSink sink = parse("\nm f=\"a\nb\nc\",g=\"\n\"\nbad\nm f=\"x\n\",g=bad\nbad");

        assertThat(sink.points).extracting(DataPoint::fields).containsExactly(Map.of("f", "a\nb\nc", "g", "\n"));
        assertThat(sink.rejects).extracting(RecordingSink.Reject::line).containsExactly(6L, 7L, 9L);
        assertThat(sink.rejects.get(1).text()).isEqualTo("m f=\"x\n\",g=bad");
    }

    @Test
    void aCarriageReturnEndsALineOnlyBeforeItsLineFeed() {
        RecordingSink sink = parse("m f=1\r123\nm f=1 5\r6\nm f=1 5\r\r\nm f=1\r\nm f=1 5\r\nm f=1\r");

        assertThat(sink.points).hasSize(3);
        assertThat(sink.rejects)
                .containsExactly(
                        new RecordingSink.Reject(1, "invalid timestamp", "m f=1\r123"),
                        new RecordingSink.Reject(2, "line end expected after the timestamp", "m f=1 5\r6"),
                        new RecordingSink.Reject(3, "line end expected after the timestamp", "m f=1 5\r"));
    }

    @Test
    void goesOnBehindAQuoteThatIsNeverClosed() {
        RecordingSink sink = parse("a f=\"open\nb f=1\nc f=2\n");

        assertThat(sink.rejects).containsExactly(new RecordingSink.Reject(1, "missing closing quote", "a f=\"open"));
        assertThat(sink.points).hasSize(2);
    }

    @Test
    void refusesLinesThatAreNotUtf8() {
        byte[] text = bytes("m,t=ä f=1\nm,t=? f=1\nm f=\"\n?\"\nm f=1\n");
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '?') {
                text[i] = (byte) 0xFF;
            }
        }
        RecordingSink sink = RecordingSink.of(parser, text, 1);

        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).extracting(RecordingSink.Reject::reason).containsExactly("not UTF-8", "not UTF-8");
    }

    @Test
    void takesLineOf64KiB() {
        String head = "m f=\"";
        String line = head + "x".repeat(KIBIBYTES_64 - head.length() - 1) + "\"";

        assertThat(parse(line).points).hasSize(1);
        assertThat(parse(line + "\n").points).hasSize(1);
        assertThat(parse("m f=\"\n" + "x".repeat(KIBIBYTES_64 - head.length() - 2) + "\"\nm f=1").points)
                .hasSize(2);
    }

    @Test
    void refusesLineOver64KiB() {
        RecordingSink sink = parse("m f=\"" + "x".repeat(KIBIBYTES_64) + "\"\nm f=1");

        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).hasSize(1);
        assertThat(sink.rejects.get(0).reason()).isEqualTo("line longer than 64 KiB");
        assertThat(sink.rejects.get(0).text()).hasSize(KIBIBYTES_64);
    }

    @Test
    void refusesEndlessLineOnceAndHoldsNoMoreThan64KiBOfIt() {
        byte[] text = bytes("m f=1\n" + "x".repeat(1 << 20) + "\nm f=2\n");
        RecordingSink sink = new RecordingSink();
        ChunkFeeder feeder = new ChunkFeeder(new Random(1));

        feeder.feed(parser, sink, text, 4096, false);

        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).hasSize(1);
        assertThat(sink.rejects.get(0).line()).isEqualTo(2);
        assertThat(feeder.heldMax).isLessThanOrEqualTo(KIBIBYTES_64);
    }

    @Test
    void refusesTextThatIsNotClosedWithin64KiB() {
        byte[] text = bytes("m f=\"open\n" + "m f=1\n".repeat(30_000));
        RecordingSink sink = new RecordingSink();
        ChunkFeeder feeder = new ChunkFeeder(new Random(1));

        feeder.feed(parser, sink, text, 4096, false);

        assertThat(sink.rejects).hasSize(1);
        assertThat(sink.points).hasSize(30_000);
        assertThat(feeder.heldMax).isLessThanOrEqualTo(KIBIBYTES_64);
    }

    @Test
    void forgetsAnUnfinishedLineOnReset() {
        Chunk chunk = new Chunk();
        RecordingSink sink = new RecordingSink();
        byte[] endless = bytes("x".repeat(KIBIBYTES_64 + 1));
        assertThat(parser.parse(chunk.wrap(endless, 0, endless.length, false), sink))
                .isTrue();
        assertThat(sink.rejects).hasSize(1);

        parser.reset();

        assertThat(point("m f=1").fields()).containsExactly(entry("f", 1.0));
    }

    @Test
    void leavesThePointForWhichThereIsNoRoom() {
        byte[] text = bytes("bad\na f=1\nb f=2\n");
        Chunk chunk = new Chunk().restart(1).wrap(text, 0, text.length, true);
        RecordingSink sink = new RecordingSink();
        sink.giveRoom(3); // a malformed line is begun twice

        assertThat(parser.parse(chunk, sink)).isFalse();
        assertThat(chunk.offset()).isEqualTo(10);
        assertThat(chunk.line()).isEqualTo(3);
        sink.giveRoom(1);
        assertThat(parser.parse(chunk, sink)).isTrue();
        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).hasSize(1);
    }

    /** The result depends neither on chunk boundaries nor on full rings. */
    @Test
    void givesTheSameWhateverTheChunks() {
        Random random = new Random(99);
        for (int round = 0; round < 3_000; round++) {
            byte[] text = RandomLines.text(random);
            RecordingSink whole = RecordingSink.of(new InfluxLineParser(), text, 1);
            RecordingSink pieces = new RecordingSink();
            new ChunkFeeder(random).feed(new InfluxLineParser(), pieces, text, 1 + random.nextInt(60), true);

            String described = "round " + round + ": " + new String(text, StandardCharsets.ISO_8859_1);
            assertThat(pieces.points).as(described).isEqualTo(whole.points);
            assertThat(pieces.rejects).as(described).isEqualTo(whole.rejects);
        }
    }

    /** A valid line stays valid between malformed lines, provided that their quotes are closed. */
    @Test
    void badLinesCostNoGoodOnes() {
        Random random = new Random(77);
        List<String> bad = List.of(
                "x",
                "m f=",
                "m,a= f=1",
                "m f=1i2",
                ",",
                "=",
                "m f=1 x",
                "\r x",
                "m f=1\r2",
                "m f=1 2\r3",
                "m f=1 \r\r",
                "\u0001",
                "m f=\"a\"\"");
        for (int round = 0; round < 2_000; round++) {
            StringBuilder text = new StringBuilder();
            int good = 0;
            int wrong = 0;
            for (int i = random.nextInt(10); i >= 0; i--) {
                boolean isGood = random.nextBoolean();
                text.append(isGood ? "m f=" + good + "i" : bad.get(random.nextInt(bad.size())))
                        .append('\n');
                good += isGood ? 1 : 0;
                wrong += isGood ? 0 : 1;
            }
            RecordingSink sink = parse(text.toString());

            assertThat(sink.points).hasSize(good);
            assertThat(sink.rejects).hasSize(wrong);
            for (int i = 0; i < good; i++) {
                assertThat(sink.points.get(i).fields()).containsExactly(entry("f", (long) i));
            }
        }
    }

    @Test
    void allocatesNothing() {
        String good =
                "cpu,host=server\\ 01,zone=eu usage=12.5,idle=0.123456789012,n=-3i,u=7u,ok=true,text=\"a \\\"b\\\"\" 1700000000000000001\n";
        byte[] text = bytes((good + "bad line\n" + "m t=\"line\nfeed\",ü=1\n" + "m f=\n# comment\n\n").repeat(20));
        Chunk chunk = new Chunk();
        PointSink sink = new CountingSink();

        assertThat(AllocatedBytes.of(() -> {
                    chunk.restart(1).wrap(text, 0, text.length, true);
                    if (!parser.parse(chunk, sink)) {
                        throw new AssertionError("There is room.");
                    }
                }))
                .isZero();
    }
}
