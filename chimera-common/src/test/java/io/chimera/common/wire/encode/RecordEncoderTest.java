package io.chimera.common.wire.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class RecordEncoderTest {
    private static final BigInteger UNSIGNED_MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private final RecordEncoder encoder = new RecordEncoder();
    private final BodyReader body = new BodyReader();
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(BatchLayout.LENGTH_MAX));

    private int encode(PointBytes point) {
        return point.encode(encoder, buffer, 0, buffer.capacity());
    }

    private DataPoint decode() {
        return decode(0, encoder.position());
    }

    private DataPoint decode(int offset, int end) {
        assertThat(body.wrap(buffer, offset, end).nextRecord()).isTrue();
        DataPoint point = RecordDecoder.point(body);
        assertThat(body.step()).isEqualTo(BodyReader.END);
        return point;
    }

    private static PointBytes cpu() {
        return new PointBytes("cpu").tag("host", "a").field("v", 1L).time(5);
    }

    @Test
    void givesBackWhatWasWritten() {
        PointBytes point = new PointBytes("disk.übrig")
                .tag("host", "server-01")
                .tag("path", "/var/lib/data with space")
                .field("free", -5L)
                .field("big", UNSIGNED_MAX)
                .field("part", -0.0)
                .field("ok", true)
                .field("text", "Grüße 🎉")
                .field("empty", "")
                .time(Long.MAX_VALUE);

        int length = encode(point);

        DataPoint decoded = decode();
        assertThat(decoded.key().metric()).isEqualTo("disk.übrig");
        assertThat(decoded.key().tags().asMap()).isEqualTo(point.tags());
        assertThat(decoded.fields()).isEqualTo(point.fields());
        assertThat(decoded.fields().keySet()).containsExactly("free", "big", "part", "ok", "text", "empty");
        assertThat(decoded.timeNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(encoder.position()).isEqualTo(length);
        assertThat(body.record().input()).isEqualTo(7);
        assertThat(body.record().isPrimary()).isFalse();
    }

    @Test
    void orderOfTagsDoesNotMatter() {
        PointBytes inOrder = new PointBytes("m")
                .tag("a", "1")
                .tag("aa", "2")
                .tag("b", "3")
                .tag("bé", "4")
                .field("f", 1L);
        PointBytes shuffled = new PointBytes("m")
                .tag("bé", "4")
                .tag("b", "3")
                .tag("a", "1")
                .tag("aa", "2")
                .field("f", 1L);

        byte[] expected = bytes(encode(inOrder));

        assertThat(bytes(encode(shuffled))).isEqualTo(expected);
    }

    @Test
    void ordersTagsByTheirBytesAsUnsignedNumbers() {
        encode(new PointBytes("m").tag("é", "2").tag("z", "1").field("f", 1L));

        assertThat(body.wrap(buffer, 0, encoder.position()).nextRecord()).isTrue();
        int firstTag = body.seriesOfRecord().firstTag();
        assertThat(RecordDecoder.text(buffer, firstTag + 2, 1)).isEqualTo("z");
    }

    @Test
    void sameBytesWhateverWasInTheBufferBefore() {
        PointBytes point =
                new PointBytes("metric").tag("t", "val").field("fie", 1.5).field("te", "xyz");
        int length = encode(point);
        byte[] clean = bytes(length);

        buffer.setMemory(0, buffer.capacity(), (byte) 0xAA);
        encode(new PointBytes("long".repeat(50)).field("x".repeat(99), "y".repeat(999)));
        buffer.setMemory(0, buffer.capacity(), (byte) 0xAA);

        assertThat(encode(point)).isEqualTo(length);
        assertThat(bytes(length)).isEqualTo(clean);
        assertThat(buffer.getByte(length)).as("the byte behind the body").isEqualTo((byte) 0xAA);
    }

    @Test
    void sameBytesOnAndOffTheHeapAndAtAnyOffset() {
        PointBytes point = cpu().tag("a", "b").field("text", "some text");
        int length = encode(point);
        byte[] array = new byte[length + 48];
        UnsafeBuffer heap = new UnsafeBuffer(array, 8, length + 40);

        assertThat(point.encode(encoder, heap, 24, length)).isEqualTo(length);

        assertThat(Arrays.copyOfRange(array, 32, 32 + length)).isEqualTo(bytes(length));
        assertThat(array[31]).isZero();
        assertThat(array[32 + length]).isZero();
    }

    @Test
    void refusesWhatDoesNotFitAndLeavesTheBufferAlone() {
        int length = encode(cpu());
        buffer.setMemory(0, 1024, (byte) 0x55);

        for (int capacity = BodyLayout.RESET_LENGTH; capacity < length; capacity += 8) {
            assertThat(cpu().encode(encoder, buffer, 0, capacity)).isEqualTo(PointSink.TOO_LONG);
            assertThat(encoder.position()).isEqualTo(BodyLayout.RESET_LENGTH);
        }

        assertThat(Arrays.copyOfRange(bytes(1024), BodyLayout.RESET_LENGTH, 1024))
                .containsOnly(0x55);
        assertThat(cpu().encode(encoder, buffer, 0, length)).isEqualTo(length);
    }

    @Test
    void refusesBadPoints() {
        assertThat(encode(new PointBytes("").field("f", 1L))).isEqualTo(PointSink.NO_METRIC);
        assertThat(encode(new PointBytes("m"))).isEqualTo(PointSink.NO_FIELD);
        assertThat(encode(cpu().field("n", Double.NaN))).isEqualTo(PointSink.NOT_FINITE);
        assertThat(encode(cpu().field("n", Double.NEGATIVE_INFINITY))).isEqualTo(PointSink.NOT_FINITE);
        assertThat(encode(cpu().time(-1))).isEqualTo(PointSink.TIME_OUT_OF_RANGE);
        assertThat(encode(cpu().tag("", "a").field("n", 1L))).isEqualTo(PointSink.EMPTY_TAG);
        assertThat(encode(cpu().tag("zone", "").field("n", 1L))).isEqualTo(PointSink.EMPTY_TAG);
        assertThat(encode(cpu().tag("host", "b"))).isEqualTo(PointSink.DUPLICATE_TAG);
        assertThat(encode(cpu().tag("z", "1").tag("host", "b"))).isEqualTo(PointSink.DUPLICATE_TAG);
        assertThat(encode(cpu())).isPositive();
    }

    @Test
    void refusesMetricThatIsNotSet() {
        encoder.open(buffer, 0, buffer.capacity());
        encoder.begin();
        byte[] name = {'f'};
        encoder.field(name, 0, 1, 1, 1);

        assertThat(encoder.end(0, 0)).isEqualTo(PointSink.NO_METRIC);
    }

    @Test
    void takesSixtyFourTagsAndNoMore() {
        PointBytes point = cpu();
        for (int i = 1; i < PointSink.TAGS_MAX; i++) {
            point.tag("t" + (100 - i), "v");
        }
        assertThat(encode(point)).isPositive();
        assertThat(decode().key().tags().asMap()).hasSize(64);

        assertThat(encode(point.tag("more", "v"))).isEqualTo(PointSink.TOO_MANY_TAGS);
    }

    @Test
    void ordersTagsOfMoreThanSixtyFourKibibytes() {
        PointBytes point = new PointBytes("m");
        for (int i = 5; i > 0; i--) {
            point.tag("t" + i, "x".repeat(60_000) + i);
        }
        point.field("f", 1L);

        assertThat(encode(point)).isPositive();
        assertThat(decode().key().tags().asMap()).isEqualTo(point.tags());
    }

    @Test
    void refusesTextsThatAreTooLong() {
        String text = "x".repeat(BodyLayout.TEXT_LENGTH_MAX);
        assertThat(encode(cpu().tag("z", text.substring(1)))).isPositive();
        assertThat(encode(cpu().tag("z", text))).isEqualTo(PointSink.TOO_LONG);
        assertThat(encode(cpu().tag("z", text).tag("a", "b"))).isEqualTo(PointSink.TOO_LONG);
        assertThat(encode(cpu().field("text", text))).isPositive();
        assertThat(encode(cpu().field("text", text + "x"))).isEqualTo(PointSink.TOO_LONG);
        assertThat(encode(cpu().field(text, "x"))).isEqualTo(PointSink.TOO_LONG);
        PointBytes point = cpu();
        for (int i = 0; i < 7; i++) {
            point.field("f" + i, text);
        }
        assertThat(encode(point)).isEqualTo(PointSink.TOO_LONG);
    }

    @Test
    void readsTextsUpToTheLastByteOfTheirArray() {
        byte[] array = "cpu,host=abcdefghijklm".getBytes(StandardCharsets.US_ASCII);
        for (int length = 1; length <= 13; length++) {
            encoder.open(buffer, 0, buffer.capacity());
            encoder.begin();
            encoder.metric(array, 0, 3);
            encoder.tag(array, 4, 4, array, array.length - length, length);
            encoder.field(array, array.length - length, length, 1, 9);
            encoder.end(0, 0);

            String expected = "abcdefghijklm".substring(13 - length);
            assertThat(decode().key().tags().get("host")).isEqualTo(expected);
            assertThat(decode().fields()).containsOnlyKeys(expected);
        }
    }

    @Test
    void agreesWithMapsForRandomPoints() {
        Random random = new Random(42);
        for (int i = 0; i < 3_000; i++) {
            PointBytes point = randomPoint(random);
            int offset = random.nextInt(8) * 8;
            int length = point.encode(encoder, buffer, offset, buffer.capacity() - offset);

            DataPoint decoded = decode(offset, offset + length);
            assertThat(decoded.key().metric()).isEqualTo(point.metric());
            assertThat(decoded.key().tags().asMap()).isEqualTo(point.tags());
            assertThat(decoded.fields()).isEqualTo(point.fields());
            assertThat(decoded.timeNs()).isEqualTo(point.timeNs());
            SeriesFlyweight series = body.seriesOfRecord();
            assertThat(series.keyHash()).isEqualTo(SeriesHash.of(buffer, series.keyOffset(), series.keyLength()));
        }
    }

    private static PointBytes randomPoint(Random random) {
        PointBytes point = new PointBytes(text(random, 1, 90)).time(random.nextLong() >>> 1);
        int tags = random.nextInt(12);
        for (int i = 0; i < tags; i++) {
            point.tag((char) ('a' + random.nextInt(26)) + text(random, 0, 20) + i, text(random, 1, 90));
        }
        int fields = 1 + random.nextInt(5);
        for (int i = 0; i < fields; i++) {
            Object value =
                    switch (random.nextInt(5)) {
                        case 0 -> random.nextLong();
                        case 1 -> random.nextGaussian();
                        case 2 -> random.nextBoolean();
                        case 3 -> new BigInteger(64, random);
                        default -> text(random, 0, 200);
                    };
            point.field(text(random, 0, 30) + i, value);
        }
        return point;
    }

    private static String text(Random random, int lengthMin, int lengthMax) {
        int length = lengthMin + random.nextInt(lengthMax - lengthMin + 1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) (random.nextInt(20) == 0 ? 0x4E00 + random.nextInt(100) : 32 + random.nextInt(95)));
        }
        return text.toString();
    }

    @Test
    void definesSeriesAndFieldsOncePerBody() {
        encoder.open(buffer, 0, buffer.capacity());
        List<Integer> lengths = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int before = encoder.position();
            assertThat(cpu().time(i).encode(encoder)).isEqualTo(PointSink.OK);
            assertThat(cpu().tag("zone", "b").field("w", 1.5).encode(encoder)).isEqualTo(PointSink.OK);
            lengths.add(encoder.position() - before);
        }

        int records = 2 * BodyLayout.VALUES + 3 * 8;
        assertThat(lengths.subList(1, 3)).containsExactly(records, records);
        assertThat(lengths.get(0)).isGreaterThan(records);
        body.wrap(buffer, 0, encoder.position());
        for (int i = 0; i < 3; i++) {
            assertThat(body.nextRecord()).isTrue();
            assertThat(RecordDecoder.point(body).timeNs()).isEqualTo(i);
            assertThat(RecordDecoder.point(body).fields()).isEqualTo(Map.of("v", 1L));
            assertThat(body.nextRecord()).isTrue();
            assertThat(RecordDecoder.point(body).fields()).isEqualTo(Map.of("v", 1L, "w", 1.5));
            assertThat(RecordDecoder.point(body).key().tags().get("zone")).isEqualTo("b");
        }
        assertThat(body.nextRecord()).isFalse();
    }

    @Test
    void definesAnewInEachBody() {
        int first = encode(cpu());

        assertThat(encode(cpu())).isEqualTo(first);
        assertThat(decode().key().tags().asMap()).isEqualTo(cpu().tags());
    }

    @Test
    void fieldsOfAnotherOrderNumberOrTypeAreAnotherSet() {
        List<PointBytes> points = List.of(
                cpu().field("w", 1.5).field("x", "text"),
                cpu(),
                cpu().field("w", 2L).field("x", "text"),
                cpu().field("x", "text").field("w", 1.5),
                cpu().field("w", 1.5).field("x", "text").field("y", true),
                cpu().field("w", 1.5).field("x", "text"));
        encoder.open(buffer, 0, buffer.capacity());
        points.forEach(point -> assertThat(point.encode(encoder)).isEqualTo(PointSink.OK));

        body.wrap(buffer, 0, encoder.position());
        Set<Integer> sets = new HashSet<>();
        for (PointBytes point : points) {
            assertThat(body.nextRecord()).isTrue();
            DataPoint decoded = RecordDecoder.point(body);
            assertThat(decoded.fields()).isEqualTo(point.fields());
            assertThat(List.copyOf(decoded.fields().keySet()))
                    .isEqualTo(List.copyOf(point.fields().keySet()));
            sets.add(body.record().fields());
        }
        assertThat(sets).hasSize(5);
    }

    @Test
    void allocatesNothing() {
        byte[] text = "cpu,zone=eu-central,host=server-01 usage=12.5".getBytes(StandardCharsets.US_ASCII);

        long allocated = AllocatedBytes.of(() -> {
            for (int i = 0; i < 100; i++) {
                encoder.open(buffer, 0, buffer.capacity());
                encoder.begin();
                encoder.metric(text, 0, 3);
                encoder.tag(text, 4, 4, text, 9, 10);
                encoder.tag(text, 20, 4, text, 25, 9);
                encoder.field(text, 35, 5, 3, 0);
                encoder.textField(text, 35, 5, text, 0, 30);
                if (encoder.end(i, 0) != PointSink.OK) {
                    throw new AssertionError("The point is good.");
                }
            }
        });

        assertThat(allocated).isZero();
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
