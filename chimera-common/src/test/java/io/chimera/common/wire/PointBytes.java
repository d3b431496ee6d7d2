package io.chimera.common.wire;

import io.chimera.api.model.FieldType;
import io.chimera.common.wire.encode.RecordEncoder;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.MutableDirectBuffer;

/** Data point for tests; passes its tags to an encoder in any order. */
public final class PointBytes {
    private final byte[] metric;
    private final List<byte[][]> tags = new ArrayList<>();
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private long timeNs;

    /** Creates a point with a metric only. */
    public PointBytes(String metric) {
        this.metric = utf8(metric);
    }

    /** Appends a tag. */
    public PointBytes tag(String name, String value) {
        tags.add(new byte[][] {utf8(name), utf8(value)});
        return this;
    }

    /** Adds a field of type Long, Double, Boolean, String, BigInteger, or the bytes of a histogram. */
    public PointBytes field(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    /** Sets the time. */
    public PointBytes time(long newTimeNs) {
        timeNs = newTimeNs;
        return this;
    }

    /**
     * Encodes the point as the only point of a body.
     *
     * @return length of the body in bytes, or the negative code of {@link RecordEncoder#end}
     */
    public int encode(RecordEncoder encoder, MutableDirectBuffer buffer, int offset, int capacity) {
        encoder.open(buffer, offset, offset + capacity);
        int ended = encode(encoder);
        return ended < 0 ? ended : encoder.position() - offset;
    }

    /** Encodes the point into the encoder's body; returns the result of {@link RecordEncoder#end}. */
    public int encode(RecordEncoder encoder) {
        encoder.begin();
        encoder.metric(metric, 0, metric.length);
        for (byte[][] tag : tags) {
            encoder.tag(tag[0], 0, tag[0].length, tag[1], 0, tag[1].length);
        }
        fields.forEach((name, value) -> encodeField(encoder, utf8(name), value));
        return encoder.end(timeNs, 7);
    }

    private static void encodeField(RecordEncoder encoder, byte[] name, Object value) {
        if (value instanceof String text) {
            byte[] bytes = utf8(text);
            encoder.textField(name, 0, name.length, bytes, 0, bytes.length);
        } else if (value instanceof byte[] histogram) {
            encoder.histogramField(name, 0, name.length, histogram, 0, histogram.length);
        } else if (value instanceof Long number) {
            encoder.field(name, 0, name.length, FieldType.LONG.code(), number);
        } else if (value instanceof Double number) {
            encoder.field(name, 0, name.length, FieldType.DOUBLE.code(), Double.doubleToRawLongBits(number));
        } else if (value instanceof Boolean truth) {
            encoder.field(name, 0, name.length, FieldType.BOOLEAN.code(), truth ? 1 : 0);
        } else {
            encoder.field(name, 0, name.length, FieldType.UNSIGNED.code(), ((BigInteger) value).longValue());
        }
    }

    /** Metric. */
    public String metric() {
        return new String(metric, StandardCharsets.UTF_8);
    }

    /** Tags ordered by name. */
    public Map<String, String> tags() {
        Map<String, String> map = new TreeMap<>();
        tags.forEach(
                tag -> map.put(new String(tag[0], StandardCharsets.UTF_8), new String(tag[1], StandardCharsets.UTF_8)));
        return map;
    }

    /** Fields in insertion order. */
    public Map<String, Object> fields() {
        return fields;
    }

    /** Time in nanoseconds since 1970. */
    public long timeNs() {
        return timeNs;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
