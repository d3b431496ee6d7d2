package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class RecordFlyweightTest {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4096]);
    private final RecordFlyweight record = new RecordFlyweight();

    private int encode(PointBytes point, int offset) {
        return point.encode(new RecordEncoder(), buffer, offset, buffer.capacity() - offset);
    }

    private static PointBytes point() {
        return new PointBytes("cpu")
                .tag("host", "a")
                .tag("zone", "b")
                .field("v", 1.5)
                .field("text", "hello")
                .time(9);
    }

    @Test
    void readsEveryTypeAsNumber() {
        encode(
                new PointBytes("m")
                        .field("long", -3L)
                        .field("small", BigInteger.TEN)
                        .field("large", BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE))
                        .field("double", 2.5)
                        .field("yes", true)
                        .field("text", "12"),
                0);
        double[] expected = {-3, 10, 0x1p64, 2.5, 1, 0};

        int field = record.wrap(buffer, 0).firstField();
        for (double value : expected) {
            assertThat(record.fieldAsDouble(field)).isEqualTo(value);
            field = record.nextField(field);
        }
        assertThat(field).isEqualTo(record.length());
    }

    @Test
    void roundsLargeUnsignedNumbersAsBigIntegerDoes() {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            BigInteger value = new BigInteger(64, random);
            encode(new PointBytes("m").field("f", value), 0);
            assertThat(record.wrap(buffer, 0).fieldAsDouble(record.firstField()))
                    .isEqualTo(value.doubleValue());
        }
    }

    @Test
    void knowsWholeRecordsFromCutOnes() {
        int length = encode(point(), 16);
        record.wrap(buffer, 16);

        assertThat(record.isWhole(length)).isTrue();
        assertThat(record.isWhole(length + 100)).isTrue();
        for (int available = 0; available < length; available++) {
            assertThat(record.isWhole(available)).isFalse();
        }
    }

    @Test
    void neverReadsOutsideOfWhatItFindsWhole() {
        Random random = new Random(7);
        int length = encode(point(), 0);
        byte[] good = new byte[length];
        buffer.getBytes(0, good);
        int whole = 0;
        for (int i = 0; i < 200_000; i++) {
            // a buffer that ends with the record: a read behind it fails
            byte[] damaged = good.clone();
            int changes = 1 + random.nextInt(3);
            for (int k = 0; k < changes; k++) {
                damaged[random.nextInt(length)] = (byte) random.nextInt(256);
            }
            if (record.wrap(new UnsafeBuffer(damaged), 0).isWhole(length)) {
                whole++;
                assertThat(RecordDecoder.point(record)).isNotNull();
            }
        }
        assertThat(whole).isPositive();
    }

    @Test
    void refusesUnknownTypesAndTextBehindNumbers() {
        int length = encode(point(), 0);
        int field = record.wrap(buffer, 0).firstField();

        buffer.putByte(field, (byte) 9);
        assertThat(record.isWhole(length)).isFalse();
        buffer.putByte(field, (byte) -1);
        assertThat(record.isWhole(length)).isFalse();
    }
}
