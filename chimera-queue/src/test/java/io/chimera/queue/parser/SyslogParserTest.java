package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Chunk;
import io.chimera.common.config.SyslogConfig;
import io.chimera.common.metrics.AllocatedBytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SyslogParserTest {
    private static final long NS_PER_S = 1_000_000_000;

    private final SyslogParser parser = new SyslogParser(new SyslogConfig("UTC"), true);

    private static RecordingSink read(String text, String zone, String arrival) {
        RecordingSink sink = new RecordingSink();
        sink.arrivalNs = Instant.parse(arrival).getEpochSecond() * NS_PER_S;
        return sink.take(new SyslogParser(new SyslogConfig(zone), true), text.getBytes(StandardCharsets.UTF_8), 1);
    }

    private DataPoint point(String text) {
        RecordingSink sink = RecordingSink.of(parser, text);
        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).hasSize(1);
        return sink.points.get(0);
    }

    private static Instant time(DataPoint point) {
        return Instant.ofEpochSecond(0, point.timeNs());
    }

    @Test
    void readsAllPartsOfRfc5424() {
        DataPoint point = point("<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 ID47"
                + " [exampleSDID@32473 iut=\"3\" quote=\"a\\\"b\\\\c\\]d\\e\"][other x=\"\"] \uFEFFAn event\n");

        assertThat(point.key().metric()).isEqualTo("syslog");
        assertThat(point.key().tags().asMap())
                .containsExactly(
                        entry("app", "myproc"),
                        entry("facility", "local4"),
                        entry("host", "192.0.2.1"),
                        entry("severity", "notice"));
        assertThat(point.fields())
                .containsOnly(
                        entry("message", "An event"),
                        entry("procid", "8710"),
                        entry("msgid", "ID47"),
                        entry("sd.exampleSDID@32473.iut", "3"),
                        entry("sd.exampleSDID@32473.quote", "a\"b\\c]d\\e"),
                        entry("sd.other.x", ""));
        assertThat(time(point)).isEqualTo(Instant.parse("2003-08-24T12:14:15.000003Z"));
    }

    @Test
    void missingPartsOfRfc5424AreLeftOut() {
        DataPoint point = point("<0>1 - - - - - -");

        assertThat(point.key().tags().asMap()).containsExactly(entry("facility", "kern"), entry("severity", "emerg"));
        assertThat(point.fields()).containsExactly(entry("message", ""));
        assertThat(point.timeNs()).isEqualTo(RecordingSink.ARRIVAL_NS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<34>Oct 11 22:14:15 mymachine su: 'su root' failed | mymachine | su |  | 'su root' failed",
                "<13>Feb  5 17:32:18 10.0.0.99 Use the BFG! | 10.0.0.99 |  |  | Use the BFG!",
                "<13>Feb 05 17:32:18 host cron[12]: job | host | cron | 12 | job",
                "<13>2026-02-05T17:32:18.5+01:00 host app: job | host | app |  | job",
                "<13>no time here |  |  |  | no time here",
                "<13>Foo  5 17:32:18 host a: b |  |  |  | Foo  5 17:32:18 host a: b",
                "<13>Feb 30 17:32:18 host a: b |  |  |  | Feb 30 17:32:18 host a: b",
            })
    void readsRfc3164AsFarAsItGoes(String text, String host, String app, String procid, String message) {
        DataPoint point = point(text);

        assertThat(point.key().tags().get("host")).isEqualTo(host);
        assertThat(point.key().tags().get("app")).isEqualTo(app);
        assertThat(point.fields().get("procid")).isEqualTo(procid);
        assertThat(point.fields().get("message")).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({
        "Dec 31 23:59:59, UTC, 2026-01-01T00:00:01Z, 2025-12-31T23:59:59Z",
        "Jan  1 00:00:01, UTC, 2025-12-31T23:59:59Z, 2026-01-01T00:00:01Z",
        "Jun 15 12:00:00, UTC, 2026-06-01T00:00:00Z, 2026-06-15T12:00:00Z",
        "Feb 29 12:00:00, UTC, 2025-03-01T00:00:00Z, 2024-02-29T12:00:00Z",
        "Jul  1 12:00:00, Europe/Berlin, 2026-07-01T10:00:00Z, 2026-07-01T10:00:00Z",
        "Jan  1 12:00:00, Europe/Berlin, 2026-01-01T11:00:00Z, 2026-01-01T11:00:00Z",
    })
    void theYearIsTheNearest(String text, String zone, String arrival, String time) {
        RecordingSink sink = read("<13>" + text + " h a: b", zone, arrival);

        assertThat(time(sink.points.get(0))).isEqualTo(Instant.parse(time));
    }

    /** RFC 6587: the framing is decided for each message. */
    @Test
    void readsLinesZeroBytesAndLengths() {
        String counted = "<13>1 - h a - - - two\nlines";
        RecordingSink sink = RecordingSink.of(
                parser,
                "<13>1 - h a - - - one\n" + counted.length() + " " + counted + "<13>1 - h a - - - three\0\r\n<13>last");

        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points)
                .extracting(point -> point.fields().get("message"))
                .containsExactly("one", "two\nlines", "three", "last");
    }

    @Test
    void aDatagramIsOneMessage() {
        RecordingSink sink =
                RecordingSink.of(new SyslogParser(new SyslogConfig("UTC"), false), "<13>1 - h a - - - two\nlines\n");

        assertThat(sink.points).hasSize(1);
        assertThat(sink.points.get(0).fields()).containsEntry("message", "two\nlines");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text | a priority from <0> to <191> is expected",
                "<> text | a priority from <0> to <191> is expected",
                "<192> text | a priority from <0> to <191> is expected",
                "<1234> text | a priority from <0> to <191> is expected",
                "<1>1 - h a p | time, host, app, process, message id and structured data are expected (RFC 5424)",
                "<1>1 2003-02-29T00:00:00Z h a p m - x | invalid time: for example 2003-10-11T22:14:15.003Z or - is expected",
                "<1>1 2003-10-11T22:14:15 h a p m - x | invalid time: for example 2003-10-11T22:14:15.003Z or - is expected",
                "<1>1 1900-10-11T22:14:15Z h a p m - x | time outside range 1970 to 2262",
                "<1>1 - h a p m x | invalid structured data: - or [id name=\"value\"] is expected",
                "<1>1 - h a p m [a b=\"c] x | invalid structured data: - or [id name=\"value\"] is expected",
                "<1>1 - h a p m [a b=c] x | invalid structured data: - or [id name=\"value\"] is expected",
                "<1>1 - h a p m [] x | invalid structured data: - or [id name=\"value\"] is expected",
                "<1>1 - h a p m -x | invalid structured data: - or [id name=\"value\"] is expected",
            })
    void namesTheDefectAndKeepsTheOthers(String text, String reason) {
        RecordingSink sink = RecordingSink.of(parser, "<1>1 - h a p m - a\n" + text + "\n<1>1 - h a p m - b\n");

        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).containsExactly(new RecordingSink.Reject(2, reason, text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"65537 <13>", "1234567 <13>", "12x<13>text", "9"})
    void anInvalidLengthEndsTheConnection(String text) {
        RecordingSink sink = new RecordingSink();
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        Chunk chunk = new Chunk().restart(1).wrap(bytes, 0, bytes.length, true);

        assertThat(parser.parse(chunk, sink)).isTrue();

        assertThat(chunk.isAbandoned()).isTrue();
        assertThat(sink.rejects).hasSize(1);
    }

    @Test
    void boundsMessagesAndData() {
        String endless = "<13>" + "x".repeat(1 << 17);
        RecordingSink sink = RecordingSink.of(parser, endless);
        assertThat(sink.points).isEmpty();
        assertThat(sink.rejects).hasSize(1);
        StringBuilder data = new StringBuilder("<13>1 - h a p m [id");
        for (int i = 0; i < 65; i++) {
            data.append(" n").append(i).append("=\"v\"");
        }
        assertThat(RecordingSink.of(parser, data + "] x").rejects)
                .singleElement()
                .satisfies(reject -> assertThat(reject.reason()).contains("more than 64 parameters"));
        String longest = "<13>1 - h a p m [" + "i".repeat(30_000) + " n=\"v\" m=\"w\"] x";
        assertThat(RecordingSink.of(parser, longest).points).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void givesTheSameWhateverTheChunks() {
        Random random = new Random(10);
        String[] pieces = {
            "<13>",
            "1 ",
            "- ",
            "h ",
            "app: ",
            "[a b=\"c\"]",
            "\n",
            "\0",
            "18 <13>1 - h a p m - ",
            "Oct 11 22:14:15 ",
            "x",
            "\"",
            "ä",
            "\n<13>1 2003-10-11T22:14:15Z h a p m - text\n",
            "<34>Oct  1 22:14:15 h su[1]: text\n"
        };
        for (int round = 0; round < 3_000; round++) {
            byte[] text = RandomPieces.text(random, pieces);
            List<DataPoint> whole = RecordingSink.of(new SyslogParser(new SyslogConfig("UTC"), true), text, 1).points;
            RecordingSink cut = new RecordingSink();
            new ChunkFeeder(random)
                    .feed(new SyslogParser(new SyslogConfig("UTC"), true), cut, text, 1 + random.nextInt(20), true);

            assertThat(cut.points.subList(0, whole.size())).isEqualTo(whole);
        }
    }

    @Test
    void allocatesNothing() {
        byte[] text = """
                <165>1 2003-08-24T05:14:15.000003-07:00 h app 1 ID [x y="z\\]"] text
                <34>Oct 11 22:14:15 h su[1]: text
                bad
                """.repeat(25).getBytes(StandardCharsets.US_ASCII);
        Chunk chunk = new Chunk();
        CountingSink sink = new CountingSink();

        assertThat(AllocatedBytes.of(() -> {
                    chunk.restart(1).wrap(text, 0, text.length, true);
                    if (!parser.parse(chunk, sink)) {
                        throw new AssertionError("There is room.");
                    }
                }))
                .isZero();
        assertThat(sink.points).isPositive();
        assertThat(sink.rejects).isPositive();
    }
}
