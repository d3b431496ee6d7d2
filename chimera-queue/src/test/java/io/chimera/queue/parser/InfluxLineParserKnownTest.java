package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.chimera.api.model.DataPoint;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lines with series and fields known to the sink, and lines read without a search for the line end. */
final class InfluxLineParserKnownTest {
    private final InfluxLineParser parser = new InfluxLineParser();
    private final RecordingSink sink = RecordingSink.knowing();

    private void take(String text) {
        sink.take(parser, text.getBytes(StandardCharsets.UTF_8), 1);
    }

    /**
     * The reference is a sink without known series, fed byte by byte, so that each line is read only after its end has
     * arrived. Every other sink must receive the same points.
     */
    @Test
    void givesTheSameWhateverIsKnown() {
        Random random = new Random(4711);
        int points = 0;
        int read = 0;
        for (int round = 0; round < 1_000; round++) {
            byte[] text = round % 5 == 0 ? RandomLines.text(random) : RepeatedLines.text(random);
            RecordingSink expected = new RecordingSink();
            new ChunkFeeder(random).feed(new InfluxLineParser(), expected, text, 1, false);
            RecordingSink unknowing = RecordingSink.of(new InfluxLineParser(), text, 1);
            RecordingSink whole = RecordingSink.knowing().take(new InfluxLineParser(), text, 1);
            RecordingSink pieces = RecordingSink.knowing();
            new ChunkFeeder(random).feed(new InfluxLineParser(), pieces, text, 1 + random.nextInt(400), true);

            for (RecordingSink seen : new RecordingSink[] {unknowing, whole, pieces}) {
                String described = "round " + round + ": " + new String(text, StandardCharsets.ISO_8859_1);
                assertThat(seen.points).as(described).isEqualTo(expected.points);
                assertThat(seen.written()).as(described).isEqualTo(expected.written());
                assertThat(seen.rejects).as(described).isEqualTo(expected.rejects);
            }
            points += whole.points.size();
            read += whole.metricsRead;
        }
        assertThat(points).isGreaterThan(30_000);
        assertThat(read).as("points whose series was read, of %d", points).isLessThan(points * 2 / 3);
    }

    @Test
    void readsASeriesOnce() {
        for (int round = 0; round < 3; round++) {
            take("m,a=b f=1i 1\nm,a=c f=2i 2\nm,a=c,x=y f=3i 3\nm,x=y,a=c f=4i 4\n");
        }

        assertThat(sink.metricsRead).isEqualTo(4);
        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).hasSize(12);
        assertThat(sink.points.subList(4, 8)).isEqualTo(sink.points.subList(0, 4));
        assertThat(sink.points.subList(8, 12)).isEqualTo(sink.points.subList(0, 4));
    }

    @Test
    void anEscapedSpaceIsNoEndOfASeries() {
        take("m,a=b\\ c f=1i\nm,a=b\\ c f=2i\nm,a=b\\\\ c=d f=3i\nm,a=b\\,c f=4i\nm,a=b\\ f=5i\n");

        assertThat(sink.points).extracting(point -> point.key().tags().get("a")).containsExactly("b c", "b c", "b,c");
        assertThat(sink.rejects).hasSize(2);
    }

    @Test
    void aSeriesEndsOnItsOwnLine() {
        take("m f=1i\nm\nm f=2i\nm,a=b\nm f=3i\nm");

        assertThat(sink.points)
                .extracting(DataPoint::fields)
                .containsExactly(Map.of("f", 1L), Map.of("f", 2L), Map.of("f", 3L));
        assertThat(sink.rejects).extracting(RecordingSink.Reject::reason).containsOnly("missing fields");
        assertThat(sink.rejects).extracting(RecordingSink.Reject::line).containsExactly(2L, 4L, 6L);
    }

    @Test
    void aRejectedPointTeachesNothing() {
        take("m,a=b,a=c f=1i\nm,a=b,a=c f=1i\nm,a=b f=nan\nm,a=b f=1i\n");

        assertThat(sink.rejects).hasSize(3);
        assertThat(sink.points).hasSize(1);
        take("m,a=b,a=c f=1i\n");
        assertThat(sink.rejects).hasSize(4);
    }

    @Test
    void refusesKnownSeriesOnLinesThatAreNotUtf8() {
        take("m,a=b f=\"x\",g=1i\nm,a=b f=\"y\",g=1i\n");
        byte[] text = "m,a=b f=\"?\",g=1i\nm,a=b f=\"z\",g=1i\n".getBytes(StandardCharsets.US_ASCII);
        text[9] = (byte) 0xFF;
        sink.take(parser, text, 1);

        assertThat(sink.rejects).extracting(RecordingSink.Reject::reason).containsExactly("not UTF-8");
        assertThat(sink.points).hasSize(3);
    }

    @Test
    void takesShortAndLongLinesInTurn() {
        String tag = "x".repeat(7_000);
        for (int round = 0; round < 3; round++) {
            take("m f=1i 1\nm,t=" + tag + " f=2i 2\nm f=\"" + tag + "\" 3\nm f=4i 4\n");
        }

        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points)
                .extracting(DataPoint::timeNs)
                .containsExactly(1L, 2L, 3L, 4L, 1L, 2L, 3L, 4L, 1L, 2L, 3L, 4L);
        assertThat(sink.points.get(10).fields()).containsExactly(entry("f", tag));
    }

    @Test
    void takesTheLastLineOfARequestWithoutItsLineFeed() {
        for (String end : new String[] {"", " ", "\r", " 7", " 7\r"}) {
            take("m f=1i 1\nm f=2" + end);
        }

        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).hasSize(10);
        assertThat(sink.points).extracting(DataPoint::timeNs).endsWith(1L, 7L, 1L, 7L);
    }

    @Test
    void numbersOfAllLengthsMeanWhatJavaTakesThemFor() {
        Random random = new Random(5);
        StringBuilder text = new StringBuilder();
        String[] numbers = new String[2_000];
        for (int i = 0; i < numbers.length; i++) {
            StringBuilder number = new StringBuilder(random.nextInt(4) == 0 ? "-" : "");
            int digits = 1 + random.nextInt(20);
            int point = random.nextInt(2 * digits);
            for (int k = 0; k < digits; k++) {
                number.append(k == point ? "." : "").append((char) ('0' + random.nextInt(random.nextInt(10) + 1)));
            }
            numbers[i] = number + (random.nextInt(9) == 0 ? "e-3" : "");
            text.append("m f=").append(numbers[i]).append(" 1700000000000000000\n");
        }
        take(text.toString());

        assertThat(sink.rejects).isEmpty();
        for (int i = 0; i < numbers.length; i++) {
            assertThat(sink.points.get(i).fields())
                    .as(numbers[i])
                    .containsExactly(entry("f", Double.valueOf(numbers[i])));
        }
    }
}
