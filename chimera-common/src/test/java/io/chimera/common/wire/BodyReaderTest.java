package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.FieldType;
import io.chimera.common.wire.encode.RecordEncoder;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class BodyReaderTest {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8192]);
    private final RecordEncoder encoder = new RecordEncoder();
    private final BodyReader body = new BodyReader();

    private int encode(PointBytes... points) {
        encoder.open(buffer, 0, buffer.capacity());
        for (PointBytes point : points) {
            assertThat(point.encode(encoder)).isZero();
        }
        return encoder.position();
    }

    private static PointBytes point() {
        return new PointBytes("cpu")
                .tag("host", "a")
                .tag("zone", "b")
                .field("v", 1.5)
                .field("text", "hello")
                .time(9);
    }

    /** Walks the body and returns END or BROKEN. */
    private int walk(int length) {
        body.wrap(buffer, 0, length);
        int kind = body.step();
        while (kind >= 0) {
            kind = body.step();
        }
        return kind;
    }

    private int entry(int kind) {
        int position = 0;
        while (Entries.kind(buffer, position) != kind) {
            position += Entries.length(buffer, position);
        }
        return position;
    }

    @Test
    void stepsOverEveryEntry() {
        int length = encode(point(), point());
        int[] kinds = {
            BodyLayout.RESET, BodyLayout.SERIES, BodyLayout.FIELDS, BodyLayout.RECORD, BodyLayout.RECORD, BodyReader.END
        };

        body.wrap(buffer, 0, length);

        for (int kind : kinds) {
            assertThat(body.step()).isEqualTo(kind);
        }
    }

    @Test
    void readsEveryTypeAsNumber() {
        int length = encode(new PointBytes("m")
                .field("long", -3L)
                .field("small", BigInteger.TEN)
                .field("large", BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE))
                .field("double", 2.5)
                .field("yes", true)
                .field("text", "12"));
        double[] expected = {-3, 10, 0x1p64, 2.5, 1, 0};

        assertThat(body.wrap(buffer, 0, length).nextRecord()).isTrue();
        FieldsFlyweight fields = body.fieldsOfRecord();
        int field = fields.first();
        for (int i = 0; i < expected.length; i++) {
            assertThat(body.record().asDouble(i, fields.type(field))).isEqualTo(expected[i]);
            field = fields.next(field);
        }
    }

    @Test
    void roundsLargeUnsignedNumbersAsBigIntegerDoes() {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            BigInteger value = new BigInteger(64, random);
            int length = encode(new PointBytes("m").field("f", value));
            assertThat(body.wrap(buffer, 0, length).nextRecord()).isTrue();
            assertThat(body.record().asDouble(0, FieldType.UNSIGNED.code())).isEqualTo(value.doubleValue());
        }
    }

    @Test
    void knowsCutBodies() {
        int length = encode(point());
        int record = entry(BodyLayout.RECORD);
        int fields = entry(BodyLayout.FIELDS);
        int series = entry(BodyLayout.SERIES);

        for (int cut = 1; cut < length; cut++) {
            boolean isBetweenEntries = cut == record || cut == fields || cut == series;
            assertThat(walk(cut)).as("at %d", cut).isEqualTo(isBetweenEntries ? BodyReader.END : BodyReader.BROKEN);
        }
        assertThat(walk(length)).isEqualTo(BodyReader.END);
    }

    @Test
    void refusesRecordsOfWhatIsNotDefined() {
        int length = encode(point());
        int record = entry(BodyLayout.RECORD);

        buffer.putShort(record + BodyLayout.RECORD_SERIES, (short) 1, ByteOrder.LITTLE_ENDIAN);
        assertThat(walk(length)).isEqualTo(BodyReader.BROKEN);
        buffer.putShort(record + BodyLayout.RECORD_SERIES, (short) -1, ByteOrder.LITTLE_ENDIAN);
        assertThat(walk(length)).isEqualTo(BodyReader.BROKEN);
        buffer.putShort(record + BodyLayout.RECORD_SERIES, (short) 0, ByteOrder.LITTLE_ENDIAN);
        assertThat(walk(length)).isEqualTo(BodyReader.END);
        buffer.putShort(record + BodyLayout.RECORD_FIELDS, (short) 7, ByteOrder.LITTLE_ENDIAN);
        assertThat(walk(length)).isEqualTo(BodyReader.BROKEN);
    }

    @Test
    void aResetEndsAllDefinitions() {
        int length = encode(point());
        int record = entry(BodyLayout.RECORD);
        int recordLength = length - record;
        buffer.putBytes(record + BodyLayout.RESET_LENGTH, buffer, record, recordLength);
        Entries.putReset(buffer, record);

        assertThat(walk(length + BodyLayout.RESET_LENGTH)).isEqualTo(BodyReader.BROKEN);
    }

    @Test
    void definitionsOfOneBodyDoNotHoldInTheNext() {
        int length = encode(point());
        int record = entry(BodyLayout.RECORD);
        assertThat(walk(length)).isEqualTo(BodyReader.END);

        body.wrap(buffer, record, length);

        assertThat(body.step()).isEqualTo(BodyReader.BROKEN);
    }

    @Test
    void refusesDefinitionsOfAnotherNumberThanTheNext() {
        int length = encode(point(), point().tag("x", "y"));
        int series = entry(BodyLayout.SERIES);
        int fields = entry(BodyLayout.FIELDS);
        assertThat(walk(length)).isEqualTo(BodyReader.END);

        for (int number : new int[] {1, 2, 63, 64, 0xFFFF}) {
            Entries.number(buffer, series, number);
            assertThat(walk(length)).as("series %d", number).isEqualTo(BodyReader.BROKEN);
            Entries.number(buffer, series, 0);
            Entries.number(buffer, fields, number);
            assertThat(walk(length)).as("fields %d", number).isEqualTo(BodyReader.BROKEN);
            Entries.number(buffer, fields, 0);
        }
        int second = fields;
        do {
            second += Entries.length(buffer, second);
        } while (Entries.kind(buffer, second) != BodyLayout.SERIES);
        Entries.number(buffer, second, 0);
        assertThat(walk(length)).as("a number that is given").isEqualTo(BodyReader.BROKEN);
    }

    @Test
    void numbersBeginAnewBehindAReset() {
        int first = encode(point(), point().tag("x", "y"));
        encoder.open(buffer, first, buffer.capacity());
        assertThat(point().encode(encoder)).isZero();

        assertThat(walk(encoder.position())).isEqualTo(BodyReader.END);
    }

    @Test
    void takesThousandsOfDefinitions() {
        UnsafeBuffer large = new UnsafeBuffer(new byte[BatchLayout.LENGTH_MAX]);
        encoder.open(large, 0, large.capacity());
        for (int i = 0; i < 5_000; i++) {
            assertThat(new PointBytes("m")
                            .tag("n", "" + i)
                            .field("f" + i % 200, (long) i)
                            .encode(encoder))
                    .isZero();
        }

        body.wrap(large, 0, encoder.position());

        for (int i = 0; i < 5_000; i++) {
            assertThat(body.nextRecord()).isTrue();
            assertThat(RecordDecoder.point(body).key().tags().get("n")).isEqualTo("" + i);
            assertThat(RecordDecoder.point(body).fields()).containsEntry("f" + i % 200, (long) i);
        }
        assertThat(body.step()).isEqualTo(BodyReader.END);
    }

    @Test
    void neverReadsOutsideOfWhatItFindsWhole() {
        Random random = new Random(7);
        int length = encode(point(), point().tag("x", "y"), new PointBytes("m").field("n", 1L));
        byte[] good = new byte[length];
        buffer.getBytes(0, good);
        int whole = 0;
        for (int i = 0; i < 200_000; i++) {
            // the buffer ends with the body, so any read after the body fails
            byte[] damaged = good.clone();
            int changes = 1 + random.nextInt(3);
            for (int k = 0; k < changes; k++) {
                damaged[random.nextInt(length)] = (byte) random.nextInt(256);
            }
            body.wrap(new UnsafeBuffer(damaged), 0, length);
            while (body.nextRecord()) {
                whole++;
                assertThat(RecordDecoder.point(body)).isNotNull();
            }
        }
        assertThat(whole).isPositive();
    }

    @Test
    void refusesLengthsThatOverflow() {
        int length = encode(point());
        int series = entry(BodyLayout.SERIES);
        int fields = entry(BodyLayout.FIELDS);

        buffer.putInt(series, Integer.MIN_VALUE | BodyLayout.SERIES, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(series + BodyLayout.KEY_LENGTH, 0x7FFF_FFE8, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(series + BodyLayout.DEFINITION_COUNT, (short) -1, ByteOrder.LITTLE_ENDIAN);
        assertThat(walk(length)).isEqualTo(BodyReader.BROKEN);
        encode(point());
        buffer.putInt(fields, Integer.MIN_VALUE | BodyLayout.FIELDS, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(fields + BodyLayout.DEFINITION_COUNT, (short) -1, ByteOrder.LITTLE_ENDIAN);
        assertThat(walk(length)).isEqualTo(BodyReader.BROKEN);
        encode(point());
        buffer.putShort(fields + BodyLayout.DEFINITION_COUNT, (short) 0, ByteOrder.LITTLE_ENDIAN);
        assertThat(walk(length)).as("a set of no fields").isEqualTo(BodyReader.BROKEN);
    }

    @Test
    void refusesUnknownTypesAndKinds() {
        int length = encode(point());
        int fields = entry(BodyLayout.FIELDS) + BodyLayout.FIRST_FIELD;

        buffer.putByte(fields, (byte) 9);
        assertThat(walk(length)).isEqualTo(BodyReader.BROKEN);
        buffer.putByte(fields, (byte) -1);
        assertThat(walk(length)).isEqualTo(BodyReader.BROKEN);
        buffer.putByte(0, (byte) (BodyLayout.RESET_LENGTH | 5));
        assertThat(walk(length)).isEqualTo(BodyReader.BROKEN);
    }
}
