package io.chimera.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.encode.RecordEncoder;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Points of {@link PointText} as the body of a batch in off-heap memory, for the stages after the parser. */
public final class PointRecords {
    private final UnsafeBuffer buffer;
    private final int length;
    private final int count;

    private PointRecords(UnsafeBuffer buffer, int length, int count) {
        this.buffer = buffer;
        this.length = length;
        this.count = count;
    }

    /**
     * Encodes the first points of {@code PointText.of(shape)}.
     *
     * @param shape shape of a point
     * @param count number of points
     */
    public static PointRecords of(PointShape shape, int count) {
        return of(shape, count, PointText.SERIES);
    }

    /**
     * Encodes points of fewer series than {@code PointText.of(shape)} has.
     *
     * @param shape shape of a point
     * @param count number of points
     * @param series number of series, used in turn
     */
    public static PointRecords of(PointShape shape, int count, int series) {
        // a definition is its text without separators, plus 24 bytes and less than 4 per tag and field; a value is 8
        // bytes
        int capacity = Math.multiplyExact(count, 2 * shape.lineLength() + 1024);
        UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
        RecordEncoder encoder = new RecordEncoder();
        encoder.open(buffer, 0, capacity);
        for (int point = 0; point < count; point++) {
            encoder.begin();
            int ended = encode(encoder, shape, point, series);
            if (ended != PointSink.OK) {
                throw new IllegalStateException("The encoder refused point " + point + " with " + ended + ".");
            }
        }
        return new PointRecords(buffer, encoder.position(), count);
    }

    /** Returns the body, which starts at index 0. */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /** Returns the bytes of the body, including definitions. */
    public int length() {
        return length;
    }

    /** Returns the number of records. */
    public int count() {
        return count;
    }

    private static int encode(RecordEncoder encoder, PointShape shape, int point, int series) {
        byte[] metric = shape.metric().getBytes(US_ASCII);
        encoder.metric(metric, 0, metric.length);
        for (String tag : shape.tagsOf(point % series)) {
            byte[] text = tag.getBytes(US_ASCII);
            int equals = tag.indexOf('=');
            encoder.tag(text, 0, equals, text, equals + 1, text.length - equals - 1);
        }
        int field = 0;
        for (String name : shape.doubleFields()) {
            double value = PointValues.hundredths(PointText.SEED, point, field++) / 100.0;
            encode(encoder, name, FieldType.DOUBLE, Double.doubleToRawLongBits(value));
        }
        for (String name : shape.longFields()) {
            encode(
                    encoder,
                    name,
                    FieldType.LONG,
                    PointValues.number(PointText.SEED, point, field++, shape.longDigits()));
        }
        return encoder.end(PointValues.timeNs(point, PointText.SERIES), 0);
    }

    private static void encode(RecordEncoder encoder, String name, FieldType type, long bits) {
        byte[] bytes = name.getBytes(US_ASCII);
        encoder.field(bytes, 0, bytes.length, type.code(), bits);
    }
}
