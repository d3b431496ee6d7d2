package io.chimera.common.wire.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.DataPoint;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.RecordDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Recognition of known series and field sets by their text, and the bound of the cache. */
final class RecordEncoderKnownTest {
    private final RecordEncoder encoder = new RecordEncoder();
    private final BodyReader body = new BodyReader();
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(BatchLayout.LENGTH_MAX));

    private void encode(PointBytes point) {
        assertThat(point.encode(encoder, buffer, 0, buffer.capacity())).isPositive();
    }

    private DataPoint decode() {
        assertThat(body.wrap(buffer, 0, encoder.position()).nextRecord()).isTrue();
        DataPoint point = RecordDecoder.point(body);
        assertThat(body.step()).isEqualTo(BodyReader.END);
        return point;
    }

    @Test
    void knowsTheTextThatASeriesWasReadFrom() {
        byte[] line = "cpu,host=a v=1,cpu,host=b v=1,       ".getBytes(StandardCharsets.US_ASCII);
        encoder.open(buffer, 0, buffer.capacity());
        for (int round = 0; round < 3; round++) {
            for (int start = 0; start < 30; start += 15) {
                encoder.begin();
                int ahead = encoder.seriesAhead(line, start, line.length);
                assertThat(ahead).isEqualTo(round < 2 && !(round == 1 && start > 0) ? -1 : 11);
                boolean isKnown = ahead >= 0 || encoder.series(line, start, 11);
                assertThat(isKnown).isEqualTo(round > 0);
                if (!isKnown) {
                    encoder.metric(line, start, 3);
                    encoder.tag(line, start + 4, 4, line, start + 9, 1);
                }
                assertThat(encoder.fieldAhead(line, start + 11, line.length)).isEqualTo(round + start > 0 ? 1 : -1);
                encoder.field(line, start + 11, 1, 1, round);
                assertThat(encoder.end(round, 0)).isEqualTo(PointSink.OK);
            }
        }

        body.wrap(buffer, 0, encoder.position());
        for (int i = 0; i < 6; i++) {
            assertThat(body.nextRecord()).isTrue();
            DataPoint point = RecordDecoder.point(body);
            assertThat(point.key().tags().get("host")).isEqualTo(i % 2 == 0 ? "a" : "b");
            assertThat(point.fields()).isEqualTo(Map.of("v", (long) (i / 2)));
        }
    }

    @Test
    void expectsNoNameThatWouldHaveToBeEscaped() {
        byte[] text = "a b=1  padding".getBytes(StandardCharsets.US_ASCII);
        encode(new PointBytes("m").field("a b", 1L));

        encoder.begin();

        assertThat(encoder.fieldAhead(text, 0, text.length)).isEqualTo(-1);
    }

    @Test
    void expectsNamesOfAnyLength() {
        for (int length = 1; length < 40; length++) {
            String name = "abcdefghij".repeat(4).substring(0, length);
            encode(new PointBytes("m").field(name, 1L));
            encoder.begin();
            byte[] text = ("=" + name + "=1 and more").getBytes(StandardCharsets.US_ASCII);

            assertThat(encoder.fieldAhead(text, 1, text.length)).isEqualTo(length);
            for (int i = 1; i <= length + 1; i++) {
                text[i] ^= 1;
                assertThat(encoder.fieldAhead(text, 1, text.length)).isEqualTo(-1);
                text[i] ^= 1;
            }
        }
    }

    @Test
    void aFieldThatWasFoundAheadMayHaveAnotherType() {
        byte[] text = "value=1   ".getBytes(StandardCharsets.US_ASCII);
        encode(new PointBytes("m").field("value", 1L));
        for (double value : new double[] {1.5, 2.5}) {
            encoder.open(buffer, 0, buffer.capacity());
            encoder.begin();
            encoder.metric(text, 0, 1);
            assertThat(encoder.fieldAhead(text, 0, text.length)).isEqualTo(5);
            encoder.field(text, 0, 5, FieldType.DOUBLE.code(), Double.doubleToRawLongBits(value));
            encoder.field(text, 0, 4, FieldType.DOUBLE.code(), 0);
            assertThat(encoder.end(0, 0)).isEqualTo(PointSink.OK);

            assertThat(decode().fields()).isEqualTo(Map.of("value", value, "valu", 0.0));
        }
    }

    @Test
    void expectsNothingWhereTheTextIsCut() {
        byte[] text = "value=1".getBytes(StandardCharsets.US_ASCII);
        encode(new PointBytes("m").field("value", 1L));

        encoder.begin();

        for (int end = 0; end <= text.length; end++) {
            assertThat(encoder.fieldAhead(text, 0, end)).isEqualTo(-1); // fewer than eight bytes
        }
        byte[] longer = Arrays.copyOf(text, 16);
        assertThat(encoder.fieldAhead(longer, 0, 7)).isEqualTo(-1);
        assertThat(encoder.fieldAhead(longer, 0, 8)).isEqualTo(5);
    }

    /** Encodes a point of a series with one tag; returns whether the series was known. */
    private boolean encodeSeries(int number, int metricLength) {
        byte[] text = ("x".repeat(metricLength) + ",t=" + number + " ").getBytes(StandardCharsets.US_ASCII);
        encoder.open(buffer, 0, buffer.capacity());
        encoder.begin();
        boolean isKnown = encoder.seriesAhead(text, 0, text.length) >= 0 || encoder.series(text, 0, text.length);
        if (!isKnown) {
            encoder.metric(text, 0, metricLength);
            encoder.tag(text, metricLength + 1, 1, text, metricLength + 3, text.length - metricLength - 4);
        }
        encoder.field(text, metricLength + 1, 1, 1, number);
        assertThat(encoder.end(0, 0)).isEqualTo(PointSink.OK);
        assertThat(decode().key().tags().get("t")).isEqualTo(String.valueOf(number));
        assertThat(decode().fields()).isEqualTo(Map.of("t", (long) number));
        return isKnown;
    }

    @Test
    void learnsSeriesThatRepeatAfterManyThatDidNot() {
        int known = 0;
        for (int i = 0; i < 30_000; i++) {
            known += encodeSeries(i, 800) ? 1 : 0;
        }
        assertThat(known).isZero();

        for (int i = 0; i < 20; i++) {
            assertThat(encodeSeries(i, 800)).isFalse();
        }
        for (int i = 0; i < 20; i++) {
            assertThat(encodeSeries(i, 800)).isTrue();
        }
    }

    @Test
    void forgetsSetsOfFieldsBeforeTheyGrowWithoutBound() {
        for (int i = 0; i < 2_000; i++) {
            PointBytes point = new PointBytes("m").tag("t", "v" + i % 10);
            for (int field = 0; field < 40; field++) {
                point.field("f" + i + "_" + field, (long) field);
            }
            encode(point);
            assertThat(decode().fields()).isEqualTo(point.fields());
        }
    }

    @Test
    void forgetsWhatItKnowsBeforeItGrowsWithoutBound() {
        String filler = "x".repeat(3_000);
        byte[] name = {'v'};
        for (int i = 0; i < 20_000; i++) {
            byte[] text = ("m,t=" + filler + i + " ").getBytes(StandardCharsets.US_ASCII);
            encoder.open(buffer, 0, buffer.capacity());
            encoder.begin();
            assertThat(encoder.series(text, 0, text.length)).isFalse();
            encoder.metric(text, 0, 1);
            encoder.tag(text, 2, 1, text, 4, text.length - 5);
            encoder.field(name, 0, 1, 1, i);
            assertThat(encoder.end(0, 0)).isEqualTo(PointSink.OK);
            encoder.begin();
            assertThat(encoder.series(text, 0, text.length)).isTrue();
        }
    }
}
